import { beforeEach, expect, it } from 'vitest';
import { draftNames, useDrafts } from './drafts.ts';

const opened = { Name: 'a', Description: 'old', Address: '' };
const sent = { ...opened, Description: 'first' };
/** As somebody else changed it in the same moment. */
const stored = { value: { ...sent, Address: '192.0.2.1' }, etag: '"2"' };
const draft = () => useDrafts.getState().byObject['machines/a'];
const { put, drop, settle } = useDrafts.getState();

beforeEach(() => useDrafts.setState({ byObject: {} }));

it('a saved draft ends', () => {
  put('machines/a', { opened, etag: '"1"', value: sent });
  settle('machines/a', sent, stored);
  expect(draft()).toBeUndefined();
});

it('what was typed while the save was under way is a draft on top of what it stored', () => {
  put('machines/a', { opened, etag: '"1"', value: { ...sent, Description: 'first AND MORE' } });
  settle('machines/a', sent, stored);
  expect(draft()).toEqual({
    opened: stored.value,
    etag: '"2"',
    value: { ...stored.value, Description: 'first AND MORE' },
  });
});

it('typing the former text again while the save was under way is a change of what it stored', () => {
  put('machines/a', { opened, etag: '"1"', value: opened });
  settle('machines/a', sent, stored);
  expect(draft()?.value).toEqual({ ...stored.value, Description: 'old' });
});

it('a save that ends after its draft was forgotten brings nothing back', () => {
  put('machines/a', { opened, etag: '"1"', value: sent });
  drop('machines/a');
  settle('machines/a', sent, stored);
  expect(draft()).toBeUndefined();
});

it('names what is not saved', () => {
  const a = { opened: { Name: 'web01.example.com' }, etag: undefined, value: {} };
  const b = { opened: { Name: 'lab-ops' }, etag: undefined, value: { Name: 'lab-ops', Description: 'x' } };
  expect(draftNames({ 'machines/3f0e': a, 'roles/lab-ops': b })).toEqual(['machine web01.example.com', 'role lab-ops']);
});
