import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { installLicense, labBundle, makeLabLicense } from './install.ts';
import { createLicenses, type LicensesDeps } from './licenses.ts';
import { signBundle } from './signed.ts';

const DAY = 86_400_000;
const START = Date.parse('2030-01-01T00:00:00Z');

let dir: string;
let now: number;
let paced: number;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'proviso-license-'));
  now = START;
  paced = 0;
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function open(more: Partial<LicensesDeps> = {}) {
  return createLicenses({ dataDirectory: dir, clock: () => now, monotonic: () => paced, ...more });
}

function issueLab(days = 100, ...features: string[]): void {
  const text = makeLabLicense(dir, { features: features.length === 0 ? ['rbac'] : features, days, now });
  installLicense(dir, text, now);
}

describe('a lab license', () => {
  test('is in force between its start and its hard expiry, and due for renewal before that', () => {
    issueLab(100, 'rbac', 'secure-params');
    const licenses = open();
    expect(licenses.has('rbac')).toBe(true);
    expect(licenses.has('secure-params')).toBe(true);
    expect(licenses.has('other')).toBe(false);
    expect(licenses.status()).toMatchObject({ Features: ['rbac', 'secure-params'], Lab: true, ClockProblem: '' });
    now = START + 91 * DAY;
    expect(licenses.status().Licenses.map(({ State }) => State)).toEqual(['expiring', 'expiring']);
    expect(licenses.licenseInfo().Licenses?.[0]).toMatchObject({ Active: true, Expired: true });
    expect(licenses.has('rbac')).toBe(true);
    now = START + 100 * DAY;
    expect(licenses.has('rbac')).toBe(false);
    expect(licenses.status()).toMatchObject({ Features: [], Lab: false });
    expect(licenses.licenseInfo().Licenses?.[0]).toMatchObject({ Name: 'rbac', Active: false, Expired: true });
  });

  test('says that it is one wherever it is shown', () => {
    issueLab();
    const info = open().licenseInfo();
    expect(info).toMatchObject({ Owner: 'lab license', Grantor: 'lab license', Lab: true, Notice: '' });
    expect(info.Licenses?.[0]).toMatchObject({ Version: 'lab', ShortLicense: 'lab license' });
  });

  test('works in no other data directory', () => {
    issueLab();
    const text = readFileSync(join(dir, 'license', 'license.json'), 'utf8');
    const other = join(dir, 'other');
    expect(() => installLicense(other, text, now)).toThrow('does not trust');
    mkdirSync(join(other, 'license'), { recursive: true });
    writeFileSync(join(other, 'license', 'license.json'), text);
    const licenses = open({ dataDirectory: other });
    expect(licenses.has('rbac')).toBe(false);
    expect(licenses.status().Sources[0]).toMatchObject({ Valid: false, Lab: false });
    expect(licenses.licenseInfo().Notice).toContain('does not trust');
  });

  test('keeps its key for the owner alone and uses it again', () => {
    issueLab();
    const key = join(dir, 'license', 'lab.key');
    const first = readFileSync(key, 'utf8');
    expect(statSync(key).mode & 0o777).toBe(0o600);
    rmSync(join(dir, 'license', 'lab.pub'));
    issueLab(5);
    expect(readFileSync(key, 'utf8')).toBe(first);
    expect(open().has('rbac')).toBe(true);
  });

  test('cannot be made with a damaged key, and the error says what to do', () => {
    issueLab();
    writeFileSync(join(dir, 'license', 'lab.key'), 'garbage');
    expect(() => issueLab()).toThrow(
      expect.objectContaining({ name: 'LicenseError', hint: expect.stringContaining('Remove') }),
    );
  });

  test.each([0, -1, Number.NaN, 40_000])('cannot last %d days', (days) => {
    expect(() => labBundle({ features: ['rbac'], days, now })).toThrow('cannot last');
  });

  test.each([[[]], [['RBAC']], [['a b']], [['']], [['rbac,x']]])('cannot be for the features %j', (features) => {
    expect(() => labBundle({ features, days: 1, now })).toThrow(/feature/);
  });
});

describe('a license of a vendor', () => {
  const vendor = generateKeyPairSync('ed25519');
  const text = (days: number): string =>
    signBundle(
      { ...labBundle({ features: ['rbac'], days, now: START }), Owner: 'Us', Grantor: 'Acme' },
      vendor.privateKey,
    );

  function trustVendor(): void {
    mkdirSync(join(dir, 'license', 'vendors'), { recursive: true });
    const pem = vendor.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    writeFileSync(join(dir, 'license', 'vendors', 'acme.pub'), pem);
  }

  test('works once its public key is in the data directory, and is no lab license', () => {
    expect(() => installLicense(dir, text(10), now)).toThrow('does not trust');
    trustVendor();
    installLicense(dir, text(10), now);
    expect(open().status()).toMatchObject({
      Features: ['rbac'],
      Lab: false,
      Sources: [{ Signer: 'acme', Valid: true }],
    });
  });

  test('is not replaced by a lab license unless asked, or unless it has expired', () => {
    trustVendor();
    installLicense(dir, text(10), now);
    const lab = makeLabLicense(dir, { features: ['rbac'], days: 1, now });
    expect(() => installLicense(dir, lab, now, false)).toThrow('signed by acme is installed and still valid');
    expect(open().licenseInfo().Owner).toBe('Us');
    installLicense(dir, lab, now + 11 * DAY, false);
    installLicense(dir, text(10), now);
    installLicense(dir, lab, now, true);
    expect(open().licenseInfo().Owner).toBe('lab license');
  });

  test('may come from a content layer, and goes with it', () => {
    let content: string | undefined = text(10);
    const trusted = [{ signer: 'acme', lab: false, key: vendor.publicKey }];
    const licenses = open({ contentLicense: () => content, trusted });
    expect(licenses.has('rbac')).toBe(true);
    expect(licenses.status().Sources).toEqual([expect.objectContaining({ Source: 'content', Signer: 'acme' })]);
    content = undefined;
    paced += 1_000;
    expect(licenses.has('rbac')).toBe(false);
  });
});

describe('a running service', () => {
  test('notices a license within a second, and does not look again before', () => {
    const licenses = open();
    expect(licenses.has('rbac')).toBe(false);
    issueLab();
    paced += 999;
    expect(licenses.has('rbac')).toBe(false);
    paced += 1;
    expect(licenses.has('rbac')).toBe(true);
    rmSync(join(dir, 'license', 'license.json'));
    paced += 1_000;
    expect(licenses.has('rbac')).toBe(false);
  });

  test('says what is wrong with a license it cannot use', () => {
    issueLab();
    const file = join(dir, 'license', 'license.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"rbac"', '"more"'));
    const licenses = open();
    expect(licenses.has('more')).toBe(false);
    expect(licenses.licenseInfo().Notice).toBe(
      'The license of the file is not valid. It was changed after it was signed.',
    );
    writeFileSync(file, '{"bundle":');
    paced += 1_000;
    expect(licenses.status().Sources[0]?.Problem).toContain('It is not valid JSON');
  });

  test('without a license answers a bundle without licenses', () => {
    expect(open().licenseInfo()).toMatchObject({ Owner: '', Licenses: null, Lab: false, Notice: '' });
    expect(createLicenses({ dataDirectory: undefined, clock: () => now }).status().Sources).toEqual([]);
  });
});

describe('a clock set back', () => {
  test('does not bring an expired license back, and is told of', () => {
    issueLab(10);
    const licenses = open();
    now = START + 11 * DAY;
    expect(licenses.has('rbac')).toBe(false);
    now = START + 5 * DAY;
    expect(licenses.has('rbac')).toBe(false);
    expect(licenses.status().ClockProblem).toContain(
      'reads 2030-01-06T00:00:00.000Z, but 2030-01-12T00:00:00.000Z was seen',
    );
    expect(licenses.licenseInfo().Notice).toContain('The clock was set back');
    now = START + 12 * DAY;
    expect(licenses.status().ClockProblem).toBe('');
  });

  test('is noticed after a restart too', () => {
    issueLab(10);
    const licenses = open();
    now = START + 11 * DAY;
    licenses.has('rbac');
    licenses.close();
    now = START + 5 * DAY;
    const after = open();
    expect(after.has('rbac')).toBe(false);
    expect(after.status().ClockProblem).not.toBe('');
  });

  test('by less than an hour is a correction', () => {
    issueLab(10);
    const licenses = open();
    licenses.has('rbac');
    now = START - 3_600_000;
    expect(licenses.status().ClockProblem).toBe('');
    now -= 1;
    expect(licenses.status().ClockProblem).not.toBe('');
  });

  test('leaves a license in force that the later time allows', () => {
    issueLab(100);
    const licenses = open();
    now = START + 11 * DAY;
    licenses.has('rbac');
    now = START + 5 * DAY;
    expect(licenses.has('rbac')).toBe(true);
  });

  test('is written down as time passes, and not by whoever only looks', () => {
    issueLab(10);
    const file = join(dir, 'license', 'clock.json');
    open({ writable: false }).has('rbac');
    expect(() => readFileSync(file)).toThrow();
    const licenses = open();
    licenses.has('rbac');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ highest: '2030-01-01T00:00:00.000Z' });
    now += 600_001;
    licenses.has('rbac');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ highest: '2030-01-01T00:10:00.001Z' });
  });

  test('cannot be told from a damaged record, which is written anew', () => {
    issueLab(10);
    const file = join(dir, 'license', 'clock.json');
    writeFileSync(file, '{"highest": 7');
    const licenses = open();
    expect(licenses.has('rbac')).toBe(true);
    licenses.close();
    expect(readFileSync(file, 'utf8')).toContain('2030-01-01');
  });
});

test('an installed file can be read by the service whatever user installed it', () => {
  issueLab();
  chmodSync(dir, 0o755);
  expect(statSync(join(dir, 'license', 'license.json')).mode & 0o777).toBe(0o644);
});
