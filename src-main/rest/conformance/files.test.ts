import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { follow, type Row } from './rows.ts';

let server: TestServer;
let lister: string;
beforeAll(async () => {
  server = await startTestServer();
  await server.call('POST', 'roles', {
    body: { Name: 'files-reader', Claims: [{ scope: 'files', action: 'list,get', specific: 'a,dir/b' }] },
  });
  await server.call('POST', 'roles', {
    body: { Name: 'files-lister', Claims: [{ scope: 'files,isos', action: 'list', specific: '*' }] },
  });
  await server.call('POST', 'users', { body: { Name: 'reader', Roles: ['files-reader', 'files-lister'] } });
  lister = await server.tokenOf('reader');
});
afterAll(() => server.stop());

const octets = { 'content-type': 'application/octet-stream' };
const text = 'the quick brown fox';
const sha = createHash('sha256').update(text).digest('hex');
const upload = (raw: string | Buffer): { raw: string | Buffer; headers: Record<string, string> } => ({
  raw,
  headers: octets,
});

const story: readonly Row[] = [
  { name: 'a fresh server has no files', ask: 'GET files', status: 200, exactly: [] },
  { name: 'and no isos', ask: 'GET isos', status: 200, exactly: [] },
  {
    name: 'an upload answers its path with a slash and its size',
    ask: 'POST files/a',
    send: upload(text),
    status: 201,
    exactly: { Path: '/a', Size: text.length },
  },
  {
    name: 'an iso answers its path without a slash',
    ask: 'POST isos/fred.iso',
    send: upload('iso'),
    status: 201,
    exactly: { Path: 'fred.iso', Size: 3 },
  },
  {
    name: 'directories are made on the way',
    ask: 'POST files/dir/deep/b',
    send: upload('b'),
    status: 201,
    exactly: { Path: '/dir/deep/b', Size: 1 },
  },
  { name: 'directories end in a slash, names are sorted', ask: 'GET files', status: 200, exactly: ['a', 'dir/'] },
  { name: 'a directory can be listed', ask: 'GET files?path=dir', status: 200, exactly: ['deep/'] },
  { name: 'with slashes around it too', ask: 'GET files?path=/dir/deep/', status: 200, exactly: ['b'] },
  {
    name: 'a directory that is not there',
    ask: 'GET files?path=nope',
    status: 404,
    error: 'GET: files/nope: Not a directory',
  },
  {
    name: 'content comes as octets, with its tag',
    ask: 'GET files/a',
    status: 200,
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(text.length),
      'accept-ranges': 'bytes',
      etag: `"SHA256:${sha}"`,
    },
    check: (answer) => expect(answer.text).toBe(text),
  },
  {
    name: 'HEAD tells size and hash',
    ask: 'HEAD files/a',
    status: 200,
    headers: { 'x-drp-sha256sum': sha, etag: `"SHA256:${sha}"`, 'content-length': String(text.length) },
  },
  {
    name: 'a known version is not sent again',
    ask: 'GET files/a',
    send: { headers: { 'if-none-match': `"SHA256:${sha}"` } },
    status: 304,
    check: (answer) => expect(answer.text).toBe(''),
  },
  {
    name: 'a range',
    ask: 'GET files/a',
    send: { headers: { range: 'bytes=4-8' } },
    status: 206,
    headers: { 'content-range': `bytes 4-8/${text.length}`, 'content-length': '5' },
    check: (answer) => expect(answer.text).toBe('quick'),
  },
  {
    name: 'a range to the end',
    ask: 'GET files/a',
    send: { headers: { range: 'bytes=16-' } },
    status: 206,
    check: (answer) => expect(answer.text).toBe('fox'),
  },
  {
    name: 'the last bytes',
    ask: 'GET files/a',
    send: { headers: { range: 'bytes=-3' } },
    status: 206,
    check: (answer) => expect(answer.text).toBe('fox'),
  },
  {
    name: 'a range of another version is the whole file',
    ask: 'GET files/a',
    send: { headers: { range: 'bytes=-3', 'if-range': '"SHA256:00"' } },
    status: 200,
    check: (answer) => expect(answer.text).toBe(text),
  },
  {
    name: 'a range beyond the end',
    ask: 'GET files/a',
    send: { headers: { range: 'bytes=100-' } },
    status: 416,
    error: `GET: files/a: The file has ${text.length} bytes`,
  },
  {
    name: 'a directory is no file',
    ask: 'GET files/dir',
    status: 404,
    error: 'GET: files/dir: Not a regular file',
  },
  {
    name: 'a missing file',
    ask: 'GET files/plugin_providers/incrementer/noFile',
    status: 404,
    error: 'GET: files/plugin_providers/incrementer/noFile: Not a regular file',
  },
  { name: 'HEAD of a missing file', ask: 'HEAD files/nope', status: 404 },
  {
    name: 'an upload below a file',
    ask: 'POST files/a/greg',
    send: upload('x'),
    status: 409,
    error: 'POST: files/a/greg: Cannot create directory /a',
  },
  {
    name: 'an upload over a directory',
    ask: 'POST files/dir',
    send: upload('x'),
    status: 409,
    error: 'POST: files/dir: dir is a directory',
  },
  {
    name: 'an upload that is no octet stream',
    ask: 'POST files/c',
    send: { raw: '{}', headers: { 'content-type': 'application/json' } },
    status: 400,
    error: 'POST: Invalid content type: application/json',
  },
  {
    name: 'an archive to unpack',
    ask: 'POST files/c.tgz?explode=true',
    send: upload('x'),
    status: 400,
    error: /Archives are not unpacked/,
  },
  {
    name: 'an empty file',
    ask: 'POST files/empty',
    send: upload(''),
    status: 201,
    exactly: { Path: '/empty', Size: 0 },
  },
  {
    name: 'is read as an empty answer',
    ask: 'GET files/empty',
    status: 200,
    check: (answer) => expect(answer.text).toBe(''),
  },
  { name: 'a new version takes the place of the old', ask: 'POST files/a', send: upload('new'), status: 201 },
  {
    name: 'and is what is read',
    ask: 'GET files/a',
    status: 200,
    check: (answer) => expect(answer.text).toBe('new'),
  },
  {
    name: 'removal answers nothing, as JSON',
    ask: 'DELETE files/a',
    status: 204,
    headers: { 'content-type': /application\/json/ },
    check: (answer) => expect(answer.text).toBe(''),
  },
  {
    name: 'removal of a missing file',
    ask: 'DELETE files/fred',
    status: 404,
    error: 'DELETE: files/fred: Unable to delete',
  },
  { name: 'removal of a missing iso', ask: 'DELETE isos/fred', status: 404, error: 'DELETE: isos/fred: no such iso' },
  {
    name: 'removal of a directory with files in it',
    ask: 'DELETE files/dir',
    status: 409,
    error: 'DELETE: files/dir: dir is not empty',
  },
  { name: 'removal of the file in it', ask: 'DELETE files/dir/deep/b', status: 204 },
  { name: 'and then of the directory', ask: 'DELETE files/dir/deep', status: 204 },
  {
    name: 'a role for one path may read it',
    ask: 'GET files/a',
    send: () => ({ as: lister }),
    status: 404,
    error: 'GET: files/a: Not a regular file',
  },
  {
    name: 'but no other',
    ask: 'GET files/secret',
    send: () => ({ as: lister }),
    status: 403,
    error: 'AUTH:\n  Cannot access /api/v3/files/secret\n  Requires: files get secret',
  },
  {
    name: 'and may not upload',
    ask: 'POST files/a',
    send: () => ({ as: lister, raw: 'x', headers: octets }),
    status: 403,
    error: 'AUTH:\n  Cannot access /api/v3/files/a\n  Requires: files post a',
  },
  {
    name: 'or remove',
    ask: 'DELETE isos/fred.iso',
    send: () => ({ as: lister }),
    status: 403,
    error: 'AUTH:\n  Cannot access /api/v3/isos/fred.iso\n  Requires: isos delete fred.iso',
  },
  {
    name: 'the audit knows who uploaded what',
    ask: 'GET x/audit?limit=200',
    status: 200,
    check: (answer) =>
      expect(answer.body).toContainEqual(
        expect.objectContaining({
          Actor: 'rocketskates',
          Note: expect.objectContaining({ kind: 'blob', scope: 'isos', action: 'post', path: 'fred.iso', size: 3 }),
        }),
      ),
  },
];

describe('files and isos', () => {
  follow(() => server, story);
});

/** A request exactly as written: clients and libraries tidy paths up, attackers do not. */
function raw(target: string, method = 'GET', body = ''): Promise<{ status: number; text: string }> {
  const { port } = server.server;
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve({ status: Number(received.split(' ')[1]), text: received }));
    const basic = Buffer.from('rocketskates:r0cketsk8ts').toString('base64');
    socket.write(
      `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Basic ${basic}\r\nContent-Type: application/octet-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  });
}

describe('paths out of the directory', () => {
  const paths = [
    '../service.json',
    '..%2fservice.json',
    '%2e%2e/service.json',
    '%2e%2e%2fservice.json',
    'dir/../../service.json',
    '/etc/passwd',
    '%2fetc%2fpasswd',
    '..%5cservice.json',
    'C:%5cwindows%5cwin.ini',
    'a%00b',
    '.',
    '..',
    'a/./b',
    `${'x'.repeat(300)}`,
    '.upload-x',
    'NUL',
  ];
  it.each(paths)('%s is read by nobody', async (path) => {
    const answer = await raw(`/api/v3/files/${path}`);
    expect([400, 404]).toContain(answer.status);
    expect(answer.text).not.toContain('endpointId');
    expect(answer.text).not.toContain('root:');
  });

  it.each(paths.filter((path) => !['/etc/passwd', '%2fetc%2fpasswd'].includes(path)))(
    '%s is written by nobody',
    async (path) => {
      const before = readdirSync(server.dataDir).sort();
      const answer = await raw(`/api/v3/files/${path}`, 'POST', 'owned');
      expect([400, 404, 405]).toContain(answer.status);
      expect(readdirSync(server.dataDir).sort()).toEqual(before);
    },
  );

  it('an absolute path is one below the directory', async () => {
    const answer = await raw('/api/v3/files//etc/hosts', 'POST', 'mine');
    expect(answer.status).toBe(201);
    expect(existsSync(`${server.dataDir}/files/etc/hosts`)).toBe(true);
  });

  it('links that lead out are absent, for reading, listing and writing', async () => {
    const outside = `${server.dataDir}/outside`;
    mkdirSync(outside);
    writeFileSync(`${outside}/secret`, 'secret');
    symlinkSync(outside, `${server.dataDir}/files/link`);
    symlinkSync(`${outside}/secret`, `${server.dataDir}/files/direct`);
    expect((await server.call('GET', 'files/link/secret')).status).toBe(404);
    expect((await server.call('GET', 'files/direct')).status).toBe(404);
    expect((await server.call('GET', 'files?path=link')).status).toBe(404);
    const list = (await server.call('GET', 'files')).body as string[];
    expect(list).not.toContain('link/');
    expect(list).not.toContain('direct');
    expect((await server.call('POST', 'files/link/new', upload('x'))).status).toBe(409);
    expect((await server.call('POST', 'files/direct', upload('x'))).status).toBe(201);
    expect((await server.call('DELETE', 'files/link/secret')).status).toBe(404);
    expect(readdirSync(outside)).toEqual(['secret']);
  });

  it('an upload that breaks off leaves nothing', async () => {
    const { port } = server.server;
    const basic = Buffer.from('rocketskates:r0cketsk8ts').toString('base64');
    await new Promise<void>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
      socket.on('error', reject);
      socket.on('close', () => resolve());
      socket.write(
        `POST /api/v3/files/broken HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${basic}\r\nContent-Type: application/octet-stream\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(1000)}`,
        () => socket.end(),
      );
    });
    // The next request is answered after the broken one was cleaned up, or sees it being cleaned up.
    await expect
      .poll(() => readdirSync(`${server.dataDir}/files`).filter((name) => name.startsWith('.upload-')))
      .toEqual([]);
    expect((await server.call('GET', 'files/broken')).status).toBe(404);
  });
});
