import { Button } from '@mantine/core';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Loading } from './Blank.tsx';
import { fetched } from './fetched.ts';
import classes from './JsonEditor.module.css';
import { parseJson } from './json-text.ts';

const CodeEditor = fetched(async () => (await import('./CodeEditor.tsx')).CodeEditor);

interface JsonEditorProps {
  readonly label: string;
  /** The value shown; a change from outside replaces the text unless the user is typing something invalid. */
  readonly value: unknown;
  readonly readOnly?: boolean;
  /** Called with each text that parses. */
  readonly onChange?: (value: unknown) => void;
  /** Called with the parse error, or undefined once the text parses again. */
  readonly onError?: (message: string | undefined) => void;
  /** Refuses values that are JSON but not what belongs here. */
  readonly accept?: (value: unknown) => string | undefined;
  readonly minHeight?: number;
}

/** A JSON value as text. What does not parse is kept on screen with line and column, and never passed on. */
export function JsonEditor({ label, value, readOnly, onChange, onError, accept, minHeight = 200 }: JsonEditorProps) {
  const shown = JSON.stringify(value, null, 2) ?? '';
  const [typed, setTyped] = useState<{ text: string; error: string | undefined }>();
  // While the typed text still means the value, it stays as typed: spacing and order belong to the user.
  const same = typed && (typed.error !== undefined || JSON.stringify(JSON.parse(typed.text), null, 2) === shown);
  const text = same ? typed.text : shown;
  const error = same ? typed.error : undefined;
  // An error leaves with the text it belongs to.
  const report = useRef(onError);
  report.current = onError;
  useEffect(() => () => report.current?.(undefined), []);
  const reset = () => {
    setTyped(undefined);
    onError?.(undefined);
  };
  const edit = (next: string) => {
    const parsed = parseJson(next);
    const message = parsed.ok ? accept?.(parsed.value) : parsed.message;
    setTyped({ text: next, error: message });
    onError?.(message);
    if (parsed.ok && message === undefined) onChange?.(parsed.value);
  };
  return (
    <div className={classes['editor']} data-invalid={error !== undefined || undefined}>
      <Suspense fallback={<Loading what="the editor" rows={4} />}>
        <CodeEditor label={label} text={text} readOnly={readOnly ?? false} onChange={edit} minHeight={minHeight} />
      </Suspense>
      <div className={classes['error']} role="status">
        {error === undefined ? null : (
          <>
            <span>{error}</span>
            <Button size="compact-xs" onClick={reset}>
              Put back
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
