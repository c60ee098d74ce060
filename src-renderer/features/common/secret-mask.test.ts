import { describe, expect, it } from 'vitest';
import { MASK, maskSecrets, unmaskSecrets } from './secret-mask.ts';

const POINTERS = ['/Secret', '/Params/callback~1auths/*/Password'];
const value = {
  Secret: 'hush',
  Params: { 'callback/auths': { a: { Username: 'u', Password: 'p1' }, b: { Password: '' } }, other: 1 },
};

describe('maskSecrets', () => {
  it('hides texts at the pointers, through any member, and leaves empty ones', () => {
    expect(maskSecrets(value, POINTERS)).toEqual({
      Secret: MASK,
      Params: { 'callback/auths': { a: { Username: 'u', Password: MASK }, b: { Password: '' } }, other: 1 },
    });
  });
});

describe('lists and headers', () => {
  const params = {
    Signing: { Secrets: ['whsec_a', 'whsec_b'] },
    Headers: { 'X-Api-Key': 'k', Cookie: 'c', Accept: 'a/b' },
  };
  const pointers = ['/Signing/Secrets/*', '/Headers/*secret'];

  it('hides every entry, and headers whose name says so', () => {
    const masked = maskSecrets(params, pointers);
    expect(masked).toEqual({
      Signing: { Secrets: [MASK, MASK] },
      Headers: { 'X-Api-Key': MASK, Cookie: MASK, Accept: 'a/b' },
    });
    expect(unmaskSecrets(masked, params, pointers)).toEqual({ value: params, lost: [] });
  });

  it('does not guess which entry a mask stands for when the list got longer or shorter', () => {
    const shorter = { ...params, Signing: { Secrets: [MASK] } };
    expect(unmaskSecrets(shorter, params, pointers).lost).toEqual(['/Signing/Secrets/0']);
    const replaced = { ...params, Signing: { Secrets: ['whsec_c', MASK] } };
    expect(unmaskSecrets(replaced, params, pointers).value['Signing']).toEqual({ Secrets: ['whsec_c', 'whsec_b'] });
  });
});

describe('unmaskSecrets', () => {
  it('gives back the object when nothing was touched', () => {
    expect(unmaskSecrets(maskSecrets(value, POINTERS), value, POINTERS)).toEqual({ value, lost: [] });
  });

  it('takes a typed value over the hidden one', () => {
    const edited = { ...maskSecrets(value, POINTERS), Secret: 'new' };
    expect(unmaskSecrets(edited, value, POINTERS).value).toEqual({ ...value, Secret: 'new' });
  });

  it('names a mask that was copied to where nothing is hidden', () => {
    const edited = { Secret: MASK, Params: { 'callback/auths': { renamed: { Password: MASK } } } };
    expect(unmaskSecrets(edited, value, POINTERS).lost).toEqual(['/Params/callback~1auths/renamed/Password']);
  });
});
