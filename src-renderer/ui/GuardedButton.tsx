import { Button, type ButtonProps, Tooltip, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface GuardedButtonProps extends ButtonProps {
  /** Why it cannot be pressed; undefined when it can. Shown on hover and focus, and read with the name. */
  readonly locked: string | undefined;
  readonly onClick?: () => void;
  readonly type?: 'button' | 'submit';
  readonly children: ReactNode;
}

/** A button that is never hidden for lack of rights: it stays focusable and says what is missing. */
export function GuardedButton({ locked, onClick, type = 'button', children, ...rest }: GuardedButtonProps) {
  const id = useId();
  return (
    <>
      <Tooltip label={locked} disabled={locked === undefined} events={{ hover: true, focus: true, touch: true }}>
        <Button
          {...rest}
          type={type}
          aria-disabled={locked !== undefined}
          {...(locked === undefined ? {} : { 'data-disabled': true, 'aria-describedby': id })}
          onClick={(event) => {
            if (locked === undefined) onClick?.();
            else event.preventDefault();
          }}
        >
          {children}
        </Button>
      </Tooltip>
      {locked === undefined ? null : <VisuallyHidden id={id}>{locked}</VisuallyHidden>}
    </>
  );
}
