import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';

const look = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--pv-text)', fontSize: '0.78125rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { fontFamily: 'var(--pv-mono)', caretColor: 'var(--pv-text)', padding: '8px 0' },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--pv-text-3)',
    border: 'none',
    fontFamily: 'var(--pv-mono)',
  },
  '.cm-activeLine': { backgroundColor: 'var(--pv-hover)' },
  '.cm-cursor': { borderLeftColor: 'var(--pv-text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--pv-accent-soft)' },
  '.cm-scroller': { lineHeight: '1.55', maxHeight: '60vh' },
  '.cm-matchingBracket': { backgroundColor: 'var(--pv-accent-soft)', outline: '1px solid var(--pv-accent)' },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--pv-code-key)' },
  { tag: tags.string, color: 'var(--pv-code-string)' },
  { tag: tags.number, color: 'var(--pv-code-number)' },
  { tag: [tags.bool, tags.null], color: 'var(--pv-code-atom)' },
]);

interface CodeEditorProps {
  readonly label: string;
  readonly text: string;
  readonly readOnly: boolean;
  readonly onChange: (text: string) => void;
  readonly minHeight: number;
}

/** CodeMirror for JSON. Tab leaves the editor (no keyboard trap); loaded on demand, it is a third of the bundle. */
export function CodeEditor({ label, text, readOnly, onChange, minHeight }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const locked = useRef(new Compartment());
  const report = useRef(onChange);
  report.current = onChange;

  // biome-ignore lint/correctness/useExhaustiveDependencies: made once; later props reach it by the effects below
  useEffect(() => {
    if (!host.current) return;
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          history(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          json(),
          syntaxHighlighting(colours),
          look,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
          locked.current.of(EditorState.readOnly.of(readOnly)),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of((update) => {
            const ours = update.transactions.some((t) => t.isUserEvent('sync'));
            if (update.docChanged && !ours) report.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text }, userEvent: 'sync' });
  }, [text]);

  useEffect(() => {
    view.current?.dispatch({ effects: locked.current.reconfigure(EditorState.readOnly.of(readOnly)) });
  }, [readOnly]);

  return <div ref={host} style={{ minHeight }} />;
}
