// Blocking and outside the bundle on purpose: the first frame must already have the chosen theme.
// The key and the attribute are the ones ui/color-scheme.ts uses.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem('proviso-theme');
  } catch {
    // Storage may be switched off; the system's theme is then the right one.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
