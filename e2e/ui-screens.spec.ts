/** Every screen, in both themes: no accessibility problem, and pictures of both sizes to look at. */
import type { Page } from '@playwright/test';
import { axeCheck, expect, shots, test } from './fixtures.ts';
import { enter, goTo, licenseRbac, openRow, Script, signIn } from './ui-steps.ts';

async function checkBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await axeCheck(page);
  }
}

test('every screen is accessible in both themes', async ({ page, server, request }) => {
  test.slow();
  await page.goto(`${server.url}/ui/`);
  await expect(page.getByText('First start')).toBeVisible();
  await checkBothThemes(page);
  await shots(page, 'sign-in');

  const script = await new Script(request, server).settle();
  await licenseRbac(server, request);
  await script.send('POST', '/roles', {
    Name: 'lab-ops',
    Description: 'Runs the lab',
    Claims: [
      { scope: 'machines', action: 'get,list,update:/Params/rack', specific: '*' },
      { scope: 'machines', action: 'list', specific: 'a,b' },
    ],
  });
  await script.send('POST', '/users', { Name: 'ana', Roles: ['lab-ops'] });
  await script.send('POST', '/tenants', { Name: 'lab-a', Users: ['ana'], Members: { machines: [] } });
  await script.send('POST', '/machines', { Name: 'srv-0001.lab.example', Address: '192.0.2.17', Meta: {} });
  await script.send('POST', '/plugins', {
    Name: 'cmdb',
    Provider: 'callback',
    Params: { 'callback/callbacks': { announce: { Url: 'https://cmdb.example/{{.Machine.Name}}', Auth: 'nobody' } } },
  });
  await page.reload();
  await signIn(page, server);

  for (const [label, object, name] of [
    ['Machines', 'srv-0001.lab.example', 'machines'],
    ['Users', 'ana', 'users'],
    ['Roles & Claims', 'lab-ops', 'roles'],
    ['Tenants', 'lab-a', 'tenants'],
    ['Configuration', 'cmdb', 'callbacks'],
  ] as const) {
    await goTo(page, label);
    await openRow(page, object);
    await checkBothThemes(page);
    await shots(page, name);
  }
  await page.getByRole('tab', { name: 'JSON' }).click();
  await expect(page.getByRole('textbox', { name: 'Object as JSON' })).toBeVisible();
  await checkBothThemes(page);

  await test.step('dialogs', async () => {
    await goTo(page, 'Users');
    await page.getByRole('button', { name: 'New user' }).click();
    await checkBothThemes(page);
    await page.keyboard.press('Escape');
    await openRow(page, 'ana');
    await page.getByRole('button', { name: 'Actions for ana' }).click();
    await page.getByRole('menuitem', { name: 'Delete user' }).click();
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await checkBothThemes(page);
    await page.keyboard.press('Escape');
    await goTo(page, 'Machines');
    await openRow(page, 'srv-0001.lab.example');
    await page.getByRole('button', { name: 'Run callback' }).click();
    await checkBothThemes(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await checkBothThemes(page);
  });
});

test('the lists can be worked with the keyboard alone, and the address keeps the view', async ({
  page,
  server,
  request,
}) => {
  const script = await new Script(request, server).settle();
  for (const name of ['alpha', 'beta', 'gamma']) await script.send('POST', '/machines', { Name: name, Meta: {} });
  await page.goto(`${server.url}/ui/`);
  // Sign-in: the name has the focus, Enter sends.
  await page.keyboard.type('rocketskates');
  await page.keyboard.press('Tab');
  await page.keyboard.type('a better passphrase');
  await page.keyboard.press('Enter');
  await expect(page.getByText('3 machines')).toBeVisible();

  const grid = page.getByRole('grid', { name: 'Machines' });
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'beta' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(grid).toBeFocused();
  await page.keyboard.press('/');
  await page.keyboard.type('gam');
  await expect(page.getByText('1 of 3 machines')).toBeVisible();
  await expect(page).toHaveURL(/q=gam/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'gamma' })).toBeVisible();
  // A copied address brings the same view back, filter and panel, after signing in.
  const address = page.url();
  await page.goto('about:blank');
  await page.goto(address);
  await enter(page, 'rocketskates', 'a better passphrase');
  await expect(page.getByRole('heading', { level: 2, name: 'gamma' })).toBeVisible();
  await expect(page.getByText('1 of 3 machines')).toBeVisible();
});
