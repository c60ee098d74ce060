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

test('every screen is accessible in both themes', async ({ page, server, request, receiver }) => {
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
  const { Uuid } = await script.send<{ Uuid: string }>('POST', '/machines', {
    Name: 'srv-0001.lab.example',
    Address: '192.0.2.17',
    Meta: {},
  });
  await receiver.answerWith({ status: 500, body: '{"reason":"out of order"}' });
  await script.send('POST', '/plugins/callback/params/callback/callbacks', {
    inventory: { Url: `${receiver.url}/inventory`, Headers: { 'X-Api-Key': 'k-123456' } },
  });
  await script.fail('POST', `/machines/${Uuid}/actions/callbackDo`, { 'callback/action': 'inventory' });
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

  await test.step('deliveries', async () => {
    await goTo(page, 'Deliveries');
    await expect(page.getByText('1 delivery', { exact: true })).toBeVisible();
    await page.getByRole('row', { name: 'inventory' }).click();
    await expect(page.getByRole('heading', { name: '1 attempt' })).toBeVisible();
    await expect(page.getByText('out of order').first()).toBeVisible();
    await expect(page.getByText('k-123456')).toHaveCount(0);
    await checkBothThemes(page);
    await shots(page, 'deliveries');
    await page.getByRole('button', { name: 'Replay failed' }).click();
    await expect(page.getByTestId('replay-preview')).toContainText('1 delivery of 1 machine');
    await checkBothThemes(page);
    await receiver.answerWith({ body: 'thanks' });
    await page.getByRole('button', { name: 'Replay 1 delivery' }).click();
    await expect(page.getByRole('heading', { name: '2 attempts' })).toBeVisible();
    await expect(page.getByText('thanks')).toBeVisible();
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await expect(page.getByText('No delivery is in the state “Failed”')).toBeVisible();
    await expect(page).toHaveURL(/state=failed/);
  });

  await test.step('tokens', async () => {
    await goTo(page, 'Tokens');
    await page.getByRole('combobox', { name: 'User' }).fill('ana');
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Roles' }).fill('lab-ops,superuser,');
    await page.keyboard.press('Escape');
    await page.getByRole('switch', { name: 'Only one claim' }).check({ force: true });
    await page.getByRole('button', { name: 'Get token' }).click();
    const issued = page.getByTestId('issued-token');
    await expect(issued.getByRole('row', { name: 'Roles' })).toContainText('superuser would widen the allowed claims');
    await expect(issued.getByRole('row', { name: 'Roles' }).locator('del')).toHaveText('superuser');
    const field = issued.getByLabel('Token', { exact: true });
    await expect(field).toHaveAttribute('type', 'password');
    await page.getByPlaceholder('Paste a token').fill(`Bearer ${await field.inputValue()}`);
    await page.getByRole('button', { name: 'Inspect' }).click();
    const inspection = page.getByTestId('inspection');
    await expect(inspection.getByRole('list', { name: 'Checks' }).getByRole('listitem')).toHaveCount(4);
    await expect(inspection).toContainText('Valid');
    await checkBothThemes(page);
    await shots(page, 'tokens');
    await page.getByRole('link', { name: 'Try in simulator' }).click();
  });

  await test.step('access simulator', async () => {
    await expect(page.getByRole('heading', { name: 'Access Simulator', level: 1 })).toBeVisible();
    await expect(page.getByLabel('Token', { exact: true })).not.toHaveValue('');
    expect(page.url()).not.toContain('token');
    await page.getByText('A user', { exact: true }).click();
    await page.getByRole('combobox', { name: 'User' }).fill('ana');
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Method' }).click();
    await page.getByRole('option', { name: 'DELETE' }).click();
    await page.getByRole('combobox', { name: 'Path' }).fill('/tenants/lab-a');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Explain' }).click();
    const answer = page.getByTestId('explanation');
    await expect(answer).toContainText('Refused: No claim grants it');
    await expect(answer.getByRole('listitem').filter({ hasText: 'License' })).toContainText('not evaluated');
    await expect(answer).toContainText('Smallest claim that would grant it: tenants delete lab-a');
    await checkBothThemes(page);
    await shots(page, 'simulator');
    // The address alone asks the same question again.
    await page.getByRole('combobox', { name: 'Method' }).click();
    await page.getByRole('option', { name: 'PATCH' }).click();
    await page.getByRole('button', { name: 'Add a body' }).click();
    await expect(page.getByRole('textbox', { name: 'Body as JSON' })).toBeVisible();
    await page.getByRole('button', { name: 'Explain' }).click();
    await expect(answer).toContainText('tenants update:/Description lab-a');
    await page.getByRole('button', { name: 'User menu of rocketskates' }).click();
    await expect(page.getByRole('menu')).toContainText('superuser');
    await checkBothThemes(page);
    await page.keyboard.press('Escape');
  });

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
  // From anywhere on the screen, but not out of a text that is being typed.
  const filter = page.getByLabel('Filter machines');
  await page.keyboard.press('/');
  await expect(filter).toBeFocused();
  const description = page.getByLabel('Description');
  await description.fill('rack');
  await page.keyboard.press('/');
  await expect(description).toHaveValue('rack/');
  await page.keyboard.press('Control+f');
  await expect(filter).toBeFocused();
  await page.getByRole('tab', { name: 'JSON' }).click();
  await page.getByRole('textbox', { name: 'Object as JSON' }).click();
  await page.keyboard.press('Control+f');
  await expect(filter).toBeFocused();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByRole('tab', { name: 'Form' }).click();
  // A copied address brings the same view back, filter and panel, after signing in.
  const address = page.url();
  await page.goto('about:blank');
  await page.goto(address);
  await enter(page, 'rocketskates', 'a better passphrase');
  await expect(page.getByRole('heading', { level: 2, name: 'gamma' })).toBeVisible();
  await expect(page.getByText('1 of 3 machines')).toBeVisible();
});

test('the stored form of a claim is shown verbatim, and a second press creates nothing twice', async ({
  page,
  server,
  request,
}) => {
  const script = await new Script(request, server).settle();
  await licenseRbac(server, request);
  const claim = { scope: 'users', action: 'get,password,token,update:/Description', specific: '\u202eana,bo' };
  await script.send('POST', '/roles', { Name: 'ops', Claims: [claim] });
  await script.send('POST', '/users', { Name: 'bo', Roles: ['ops', 'superuser'] });
  await signIn(page, server);
  await goTo(page, 'Roles & Claims');
  await openRow(page, 'ops');
  await expect(page.getByRole('listitem', { name: 'Claim 1' })).toContainText('"specific":"\\u202eana,bo"');
  await shots(page, 'verbatim');

  await goTo(page, 'Users');
  await openRow(page, 'bo');
  await page.getByRole('tab', { name: 'Access' }).click();
  await expect(page.getByRole('cell', { name: '\\u202eana,bo' })).toBeVisible();
  await shots(page, 'access');
  await page.getByRole('button', { name: 'Close panel' }).click();

  const posts: string[] = [];
  page.on('request', (sent) => {
    if (sent.method() === 'POST') posts.push(new URL(sent.url()).pathname);
  });
  await page.getByRole('button', { name: 'New user' }).click();
  await page.getByLabel('Name', { exact: true }).fill('ana');
  const form = page.getByRole('dialog').locator('form');
  await form.evaluate((element: HTMLFormElement) => {
    element.requestSubmit();
    element.requestSubmit();
  });
  await expect(page.getByText('User ana created')).toBeVisible();
  expect(posts).toEqual(['/api/v3/users']);
});
