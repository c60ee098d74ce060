import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy, type IconProps } from '@tabler/icons-react';
import { type ComponentType, useState } from 'react';

/** Copies, and knows for a moment that it did. */
function useCopy(text: string) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return { copied, copy: () => void copy() };
}

/** Copies text and says so for a moment, also to screen readers (the label itself changes). */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopy(text);
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      onClick={copy}
    >
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  );
}

interface CopyIconProps {
  readonly text: string;
  readonly label: string;
  readonly icon?: ComponentType<IconProps>;
}

/** The same without a word of its own, for use beside the text it copies. */
export function CopyIcon({ text, label, icon: Icon = IconCopy }: CopyIconProps) {
  const { copied, copy } = useCopy(text);
  return (
    <Tooltip label={copied ? 'Copied' : label}>
      <ActionIcon aria-label={label} onClick={copy}>
        {copied ? <IconCheck size={16} aria-hidden /> : <Icon size={16} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}
