/** Where credentials of callbacks may stand in the Params of an object (service.md, Auth structure; Headers may hold them too). */
export const CALLBACK_SECRETS: readonly string[] = [
  '/Params/callback~1auths/*/Password',
  '/Params/callback~1auths/*/Data',
  '/Params/callback~1auths/*/Query',
  '/Params/callback~1callbacks/*/Headers/*',
  '/Params/callback~1delivery/Signing/Secrets',
];

/** Addresses beside them, which may hold a password or a token among what everybody may read. */
export const CALLBACK_ADDRESSES: readonly string[] = [
  '/Params/callback~1proxy',
  '/Params/callback~1auths/*/Url',
  '/Params/callback~1callbacks/*/Url',
];
