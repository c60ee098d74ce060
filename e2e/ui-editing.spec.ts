/** What happens to somebody's typing when others, the license or the session get in the way. */
import { axeCheck, expect, shots, test } from './fixtures.ts';
import { ADMIN, enter, goTo, openRow, PASSWORD, Script, signIn } from './ui-steps.ts';

test('a save merges what others changed, asks where both changed the same, and can be undone', async ({
  page,
  server,
  request,
}) => {
  const script = await new Script(request, server).settle();
  const machine = await script.send<{ Uuid: string }>('POST', '/machines', {
    Name: 'alpha',
    Description: 'old',
    Meta: {},
  });
  const change = (path: string, value: unknown) =>
    script.send('PATCH', `/machines/${machine.Uuid}`, [{ op: 'replace', path, value }]);
  const stored = () => script.send<Record<string, unknown>>('GET', `/machines/${machine.Uuid}`);
  await signIn(page, server);
  await openRow(page, 'alpha');

  await test.step('different fields: both changes hold, nobody is asked', async () => {
    await page.getByLabel('Description').fill('mine');
    await change('/Address', '192.0.2.1');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Machine saved')).toBeVisible();
    expect(await stored()).toMatchObject({ Description: 'mine', Address: '192.0.2.1' });
  });

  await test.step('Undo takes back the own change only', async () => {
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('Change taken back')).toBeVisible();
    expect(await stored()).toMatchObject({ Description: 'old', Address: '192.0.2.1' });
    await expect(page.getByLabel('Description')).toHaveValue('old');
  });

  await test.step('the same field: the merge view shows both and saves the choice', async () => {
    await page.getByLabel('Description').fill('mine again');
    await change('/Description', 'theirs');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const merge = page.getByRole('dialog', { name: 'Machine alpha was changed meanwhile' });
    await expect(merge).toContainText('"theirs"');
    await expect(merge.getByRole('button', { name: 'Save merged' })).toBeDisabled();
    await merge.getByRole('radio', { name: 'Yours' }).check();
    await merge.getByRole('button', { name: 'Save merged' }).click();
    await expect(merge).toBeHidden();
    await expect.poll(async () => (await stored())['Description']).toBe('mine again');
  });

  await test.step('a change made elsewhere shows by itself', async () => {
    await change('/Description', 'from afar');
    await expect(page.getByLabel('Description')).toHaveValue('from afar');
  });
});

test('what is typed while a save is under way stays, as the next change', async ({ page, server, request }) => {
  const script = await new Script(request, server).settle();
  const { Uuid } = await script.send<{ Uuid: string }>('POST', '/machines', { Name: 'alpha', Meta: {} });
  const stored = async () => (await script.send<{ Description: string }>('GET', `/machines/${Uuid}`)).Description;
  await signIn(page, server);
  await openRow(page, 'alpha');
  const answer = Promise.withResolvers<void>();
  let held = false;
  await page.route(`**/machines/${Uuid}`, async (route) => {
    if (route.request().method() === 'PATCH') {
      held = true;
      await answer.promise;
    }
    await route.continue();
  });
  const field = page.getByLabel('Description');
  await field.fill('first');
  await page.keyboard.press('Control+s');
  await expect.poll(() => held).toBe(true);
  await field.press('End');
  await page.keyboard.type(' and more');
  answer.resolve();
  await expect(page.getByText('Machine saved')).toBeVisible();
  await expect(field).toHaveValue('first and more');
  expect(await stored()).toBe('first');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(stored).toBe('first and more');
});

test('a dead session asks again over the page and keeps the draft', async ({ page, server, request }) => {
  const script = await new Script(request, server).settle();
  await script.send('POST', '/machines', { Name: 'alpha', Meta: {} });
  await signIn(page, server);
  await openRow(page, 'alpha');
  await page.getByLabel('Description').fill('typed before the session ended');
  await script.send('PATCH', `/users/${ADMIN}`, [{ op: 'replace', path: '/Secret', value: '' }]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Your session is over' });
  await sheet.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await sheet.getByRole('button', { name: 'Sign in again' }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByLabel('Description')).toHaveValue('typed before the session ended');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Machine saved')).toBeVisible();
});

test('signing out names the drafts that go with it, and leaves nothing to undo behind', async ({
  page,
  server,
  request,
}) => {
  const script = await new Script(request, server).settle();
  await script.send('POST', '/machines', { Name: 'alpha', Meta: {} });
  await signIn(page, server);
  await openRow(page, 'alpha');
  await page.getByLabel('Description').fill('saved');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await page.getByLabel('Description').fill('saved and more');
  const leave = async () => {
    await page.getByRole('button', { name: `User menu of ${ADMIN}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  await leave();
  const dialog = page.getByRole('dialog', { name: 'Sign out?' });
  await expect(dialog).toContainText('1 unsaved draft goes:machine alpha');
  await axeCheck(page);
  await shots(page, 'sign-out');
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Description')).toHaveValue('saved and more');
  await leave();
  await dialog.getByRole('button', { name: 'Sign out and discard' }).click();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await enter(page, ADMIN, PASSWORD);
  await expect(page.getByLabel('Description')).toHaveValue('saved');
});

test('without the license roles can be read, and every write says what it needs', async ({ page, server, request }) => {
  await new Script(request, server).settle();
  await signIn(page, server);
  await goTo(page, 'Roles & Claims');
  await expect(page.getByText('Roles can be listed and read only')).toBeVisible();
  await expect(page.getByRole('button', { name: 'New role' })).toHaveAccessibleDescription(
    'needs license feature rbac',
  );
  await openRow(page, 'superuser');
  await expect(page.getByRole('button', { name: 'Copy as JSON' })).toBeEnabled();
  await expect(page.getByTestId('server-state')).toContainText('Running');
});

test('a callback configuration is edited as JSON: faults block the save, secrets are never painted and never lost', async ({
  page,
  server,
  request,
}) => {
  const script = await new Script(request, server).settle();
  const auth = { AuthType: 'basic', Username: 'lab', Password: 'very-hidden' };
  await script.send('POST', '/plugins', {
    Name: 'cmdb',
    Provider: 'callback',
    Params: {
      'callback/callbacks': { ping: { Url: 'https://cmdb.example', Auth: 'a' } },
      'callback/auths': { a: auth },
    },
  });
  await signIn(page, server);
  await goTo(page, 'Configuration');
  await openRow(page, 'cmdb');
  await page.getByLabel('Description').fill('Tells the CMDB');
  await page.getByRole('tab', { name: 'JSON' }).click();
  const params = page.getByRole('textbox', { name: 'Object as JSON' });
  await expect(params).toContainText('••••••');
  const text = await params.innerText();
  expect(text).not.toContain('very-hidden');

  await params.fill('{ "callback/callbacks": ');
  await expect(page.getByText(/^Line 1, column \d+/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveAttribute('aria-disabled', 'true');

  await params.fill(text.replace('https://cmdb.example', 'https://cmdb.example/v2').replaceAll('\u00a0', ' '));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Plugin saved')).toBeVisible();
  await page.getByRole('tab', { name: 'Form' }).click();
  await expect(page.getByText('POST https://cmdb.example/v2')).toBeVisible();
  const ops = [{ op: 'test', path: '/Params/callback~1auths/a/Password', value: 'very-hidden' }];
  const stored = await script.send<{ Description: string }>('PATCH', '/plugins/cmdb', ops);
  expect(stored.Description).toBe('Tells the CMDB');
});

test('a callback is set up in the form and tried by dry run: nothing is sent before Run', async ({
  page,
  server,
  request,
  receiver,
}) => {
  const script = await new Script(request, server).settle();
  await script.send('POST', '/machines', { Name: 'srv-0001.lab.example', Meta: {} });
  await signIn(page, server);
  await goTo(page, 'Configuration');
  await page.getByRole('row', { name: /^callback/ }).click();
  await page.getByRole('combobox', { name: 'Name of a new callback' }).fill('announce');
  await page.getByRole('button', { name: 'Add callback' }).click();
  await page.getByLabel('Url', { exact: true }).fill(`${receiver.url}/{{.Machine.Name}}`);
  await page.getByLabel('Name of a new header').fill('X-Api-Key');
  await page.getByRole('button', { name: 'Add header' }).click();
  await page.getByLabel('Value of X-Api-Key').fill('very-hidden');
  await expect(page.getByLabel('Value of X-Api-Key')).toHaveAttribute('type', 'password');
  await page.getByLabel('Retry', { exact: true }).fill('3');
  await page.getByLabel('Delay', { exact: true }).fill('600');
  await page.getByLabel('Timeout', { exact: true }).fill('1300');
  await expect(page.getByText('Timeout 1,300 s (21 min 40 s) ends it after attempt 3')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Plugin saved')).toBeVisible();
  const { Params } = await script.send<{ Params: Record<string, unknown> }>('GET', '/plugins/callback');
  // What was left alone is not stored: the defaults stay the defaults.
  expect(Params['callback/callbacks']).toEqual({
    announce: {
      Url: `${receiver.url}/{{.Machine.Name}}`,
      Headers: { 'X-Api-Key': 'very-hidden' },
      Retry: 3,
      Delay: 600,
      Timeout: 1300,
    },
  });

  await page.getByRole('button', { name: 'Try it' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Machine' }).click();
  await page.getByRole('option', { name: 'srv-0001.lab.example' }).click();
  await dialog.getByRole('button', { name: 'Dry run' }).click();
  await expect(dialog.getByTestId('dry-run')).toContainText(`POST ${receiver.url}/srv-0001.lab.example`);
  await expect(dialog.getByTestId('dry-run')).toContainText('Nothing was sent');
  await expect(dialog.getByTestId('dry-run')).not.toContainText('very-hidden');
  await axeCheck(page);
  await receiver.answerWith({ body: 'thanks' });
  await dialog.getByRole('button', { name: 'Run callback' }).click();
  await expect(dialog.getByTestId('callback-answer')).toHaveText('thanks');
  const received = await receiver.waitFor(1);
  expect(received.map(({ url }) => url)).toEqual(['/srv-0001.lab.example']);
});

test('what others delete can be created again from the draft', async ({ page, server, request }) => {
  const script = await new Script(request, server).settle();
  const { Uuid } = await script.send<{ Uuid: string }>('POST', '/machines', { Name: 'srv-1.lab.example', Meta: {} });
  await signIn(page, server);
  await openRow(page, 'srv-1.lab.example');
  await page.getByLabel('Description').fill('typed here');
  await script.send('DELETE', `/machines/${Uuid}`);
  await expect(page.getByText('This machine was deleted meanwhile')).toBeVisible();
  await page.getByRole('button', { name: 'Recreate from my draft' }).click();
  await expect(page.getByText('Machine created again')).toBeVisible();
  const again = await script.send<{ Description: string }>('GET', `/machines/${Uuid}`);
  expect(again.Description).toBe('typed here');
});

test('no request leaves the own origin, and no page needs an inline script', async ({ page, server, request }) => {
  await new Script(request, server).settle();
  const foreign: string[] = [];
  const blocked: string[] = [];
  page.on('request', (sent) => {
    if (!sent.url().startsWith(server.url) && !sent.url().startsWith('data:')) foreign.push(sent.url());
  });
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) blocked.push(message.text());
  });
  await signIn(page, server);
  for (const label of ['Users', 'Roles & Claims', 'Tenants', 'Configuration', 'Machines'] as const)
    await goTo(page, label);
  expect(foreign).toEqual([]);
  expect(blocked).toEqual([]);
});
