/** wire-format.md 3.2 to 3.7, 4: every creatable type from creation to removal, and every field of the tables. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../kit/json.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { CREATABLE, UUID, VALIDATION } from './creatable.ts';
import { fieldsOf, inOrder, V3_CLIENT, V4_CLIENT } from './rows.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe.each(CREATABLE)('$prefix', ({ prefix, body, key, keyField, change: [field, value], v3, v4 }) => {
  const v3Fields = inOrder([...VALIDATION, ...v3]);
  const v4Fields = inOrder([...VALIDATION, ...v3.filter((name) => name !== 'Profile'), ...v4]);
  const path = `${prefix}/${key}`;

  it('is created with 201, filled and valid, with the fields of both generations', async () => {
    const made = await server.call('POST', prefix, { body, headers: V3_CLIENT });
    expect(made.status, made.text).toBe(201);
    expect(fieldsOf(made.body)).toEqual(v3Fields);
    expect(made.body).toMatchObject({ ...body, Validated: true, ReadOnly: false });
    const newer = await server.call('GET', path, { headers: V4_CLIENT });
    expect(fieldsOf(newer.body)).toEqual(v4Fields);
  });

  it('is refused a second time: already exists', async () => {
    const again = await server.call('POST', prefix, { body });
    const native = key.replace('%2F', '/');
    expect(again.body).toMatchObject({
      Code: 409,
      Type: 'CREATE',
      Model: prefix,
      Key: native,
      Messages: ['already exists'],
    });
  });

  it('is in the list with the very same fields', async () => {
    for (const [headers, fields] of [
      [V3_CLIENT, v3Fields],
      [V4_CLIENT, v4Fields],
    ] as const) {
      const { body: list } = await server.call('GET', prefix, { headers });
      for (const one of list as JsonObject[]) expect(fieldsOf(one)).toEqual(fields);
      const item = await server.call('GET', path, { headers });
      expect(list).toContainEqual(item.body);
      expect(item.headers['etag']).toMatch(/^"\d+"$/);
    }
  });

  it('is found by Key:, by its key field, and by HEAD', async () => {
    const item = await server.call('GET', path);
    for (const typed of [`Key:${key}`, ...(prefix === 'reservations' ? [] : [`${keyField}:${key}`])]) {
      const found = await server.call('GET', `${prefix}/${typed}`);
      expect(found.body).toEqual(item.body);
      expect((await server.call('HEAD', `${prefix}/${typed}`)).status).toBe(200);
    }
    expect((await server.call('HEAD', `${prefix}/${key}x`)).status).toBe(404);
  });

  it('takes an empty patch and null as no change, with the same tag', async () => {
    const item = await server.call('GET', path);
    for (const raw of ['[]', 'null']) {
      const same = await server.call('PATCH', path, { raw });
      expect(same.status, same.text).toBe(200);
      expect(same.body).toEqual(item.body);
      expect(same.headers['etag']).toBe(item.headers['etag']);
    }
  });

  it('is patched the way clients do it: test, then replace', async () => {
    const before = (await server.call('GET', path)).body as JsonObject;
    const patched = await server.call('PATCH', path, {
      body: [
        { op: 'test', path: `/${field}`, from: '', value: before[field] as Json },
        { op: 'replace', path: `/${field}`, from: '', value },
      ],
    });
    expect(patched.status, patched.text).toBe(200);
    expect((patched.body as JsonObject)[field]).toEqual(value);
    const conflict = await server.call('PATCH', path, {
      body: [{ op: 'test', path: `/${field}`, value: 'something else entirely' }],
    });
    expect(conflict.body).toMatchObject({
      Code: 409,
      Type: 'PATCH',
      Model: prefix,
      Messages: ['Patch error at line 0: Test op failed.', expect.stringMatching(/^Patch line: \{"op":"test"/)],
    });
  });

  it.each(['v3', 'v4'] as const)('takes a whole-document test of a %s client before a change', async (generation) => {
    const headers = generation === 'v3' ? V3_CLIENT : V4_CLIENT;
    const whole = (await server.call('GET', path, { headers })).body as JsonObject;
    const answer = await server.call('PATCH', path, {
      headers,
      body: [
        { op: 'test', path: '', from: '', value: whole },
        { op: 'replace', path: '/Meta', from: '', value: { by: generation } },
      ],
    });
    expect(answer.status, answer.text).toBe(200);
    expect((answer.body as JsonObject)['Meta']).toEqual({ by: generation });
    const stale = await server.call('PATCH', path, {
      headers,
      body: [{ op: 'test', path: '', value: { ...whole, Meta: { by: 'nobody' } } }],
    });
    expect(stale.status).toBe(409);
  });

  it('is replaced by PUT: what is not sent falls back', async () => {
    const before = (await server.call('GET', path)).body as JsonObject;
    const put = await server.call('PUT', path, {
      body: { ...body, ...(prefix === 'machines' ? { Stage: 'none', BootEnv: 'local', CurrentTask: -1 } : {}) },
    });
    expect(put.status, put.text).toBe(200);
    expect(put.body).toMatchObject({ ...body, Meta: {} });
    expect(before['Meta']).not.toEqual({});
    const other = await server.call('PUT', path, {
      body: {
        ...body,
        [keyField]: keyField === 'Addr' ? '1.1.1.1' : keyField === 'Uuid' ? UUID.replace('3', '4') : 'another',
      },
    });
    expect(other.body).toMatchObject({ Code: 400, Type: 'PUT', Model: prefix });
    expect((other.body as { Messages: string[] }).Messages[0]).toMatch(/^Key change from .+ to .+ not allowed$/);
  });

  it('ignores what the server computes', async () => {
    const put = await server.call('PATCH', path, {
      body: [
        { op: 'replace', path: '/Errors', value: ['made up'] },
        { op: 'replace', path: '/ReadOnly', value: true },
        { op: 'replace', path: '/Validated', value: false },
      ],
    });
    expect(put.status, put.text).toBe(200);
    expect(put.body).toMatchObject({ ReadOnly: false, Validated: true });
    expect((put.body as { Errors: string[] }).Errors).not.toContain('made up');
  });

  it('honours If-None-Match and If-Match', async () => {
    const item = await server.call('GET', path);
    const tag = String(item.headers['etag']);
    const same = await server.call('GET', path, { headers: { 'if-none-match': tag } });
    expect(same.status).toBe(304);
    expect(same.text).toBe('');
    expect(same.headers['etag']).toBe(tag);
    const change = [{ op: 'add', path: '/Meta/touched', value: 'yes' }];
    expect((await server.call('PATCH', path, { headers: { 'if-match': '"0"' }, body: change })).status).toBe(412);
    expect((await server.call('DELETE', path, { headers: { 'if-match': '"0"' } })).status).toBe(412);
    for (const known of ['*', `W/${tag}`, `"1", ${tag}`, `"a,b",${tag}`])
      expect((await server.call('GET', path, { headers: { 'if-none-match': known } })).status, known).toBe(304);
    for (const other of ['"abc"', 'W/"0"', tag.replaceAll('"', ''), ''])
      expect((await server.call('GET', path, { headers: { 'if-none-match': other } })).status, other).toBe(200);
    const foreign = await server.call('PATCH', path, { headers: { 'if-match': '"abc"' }, body: change });
    expect(foreign.status).toBe(412);
    expect((foreign.body as JsonObject)['Messages']).toEqual([`If-Match is "abc", but ${tag} is current`]);
    for (const mine of ['*', `"0", ${tag}`])
      expect((await server.call('PATCH', path, { headers: { 'if-match': mine }, body: [] })).status, mine).toBe(200);
    const changed = await server.call('PATCH', path, { headers: { 'if-match': tag }, body: change });
    expect(changed.status).toBe(200);
    expect(changed.headers['etag']).not.toBe(tag);
    expect((await server.call('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(200);
  });

  it('is removed with 200 and what it was, and is gone', async () => {
    const item = await server.call('GET', path);
    const gone = await server.call('DELETE', path);
    expect(gone.status, gone.text).toBe(200);
    expect(gone.body).toEqual(item.body);
    const native = key.replace('%2F', '/');
    const after = await server.call('GET', path);
    expect(after.body).toMatchObject({ Code: 404, Type: 'GET', Model: prefix, Key: native, Messages: ['Not Found'] });
    expect((await server.call('DELETE', path)).body).toMatchObject({ Code: 404, Type: 'DELETE' });
    expect((await server.call('PATCH', path, { body: [] })).body).toMatchObject({ Code: 404, Type: 'PATCH' });
  });
});
