import { Notice } from '../../ui/Notice.tsx';

/** Roles and tenants without the feature: everything can be read, nothing is hidden, writes say why not. */
export function LicenseBanner({ locked, what }: { locked: string | undefined; what: string }) {
  if (!locked?.startsWith('needs license')) return null;
  return (
    <Notice
      tone="locked"
      content={{
        title: `${what} can be listed and read only`,
        lines: ['Creating, changing and deleting needs license feature rbac. What exists is enforced all the same.'],
        hint: 'Install a license on the computer of the service: proviso license install FILE --data DIR',
      }}
    />
  );
}
