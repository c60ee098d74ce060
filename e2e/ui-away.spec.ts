/** The application while its server is away: the frame stays, and so does the way to every screen. */
import { axeCheck, expect, shots, test } from './fixtures.ts';
import { goTo, Script, signIn } from './ui-steps.ts';

test('screens that were never opened open while the server is away, or appear when it is back', async ({
  page,
  server,
  request,
}) => {
  await new Script(request, server).settle();
  const rolesScreen = /\/assets\/RolesScreen-.*\.(js|css)$/;
  await page.route(rolesScreen, (route) => route.abort());
  const fetched: string[] = [];
  page.on('requestfinished', (sent) => void fetched.push(sent.url()));
  await signIn(page, server);
  const main = page.getByRole('main');
  // In idle time; the editor after the screens that bring it along.
  for (const part of ['TenantsScreen', 'DeliveriesScreen', 'CodeEditor'])
    await expect.poll(() => fetched.some((url) => url.includes(`/assets/${part}`))).toBe(true);

  await test.step('a server without the file: the reason stands in the place of the screen', async () => {
    await goTo(page, 'Roles & Claims');
    await expect(main.getByText('This screen could not be fetched')).toBeVisible();
    await axeCheck(page);
    await shots(page, 'screen-refused');
  });

  await server.kill('SIGKILL');

  await test.step('fetched before: the screen itself says that its list is missing', async () => {
    await goTo(page, 'Deliveries');
    await expect(page.getByRole('heading', { name: 'Deliveries', level: 1 })).toBeVisible();
    await expect(main.getByText('The deliveries appear here as soon as the server answers')).toBeVisible();
  });

  await test.step('not fetched: rail and strip stay, and the list appears with the server', async () => {
    await goTo(page, 'Roles & Claims');
    await expect(main.getByText('This screen was not opened before')).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    await expect(page.getByTestId('server-state')).toContainText('No answer');
    await axeCheck(page);
    await shots(page, 'server-away');
    await page.unroute(rolesScreen);
    await server.restart();
    await expect(page.getByRole('heading', { name: 'Roles & Claims', level: 1 })).toBeVisible({ timeout: 15_000 });
    await expect(page.getByRole('row', { name: 'superuser' })).toBeVisible();
    // Its stylesheet failed with it, and nobody but the page itself asks for that again.
    const styles = page.locator('link[rel="stylesheet"][href*="/assets/RolesScreen-"]');
    const rules = (link: HTMLLinkElement) => (link.sheet?.href === link.href ? link.sheet.cssRules.length : 0);
    expect(await styles.evaluate(rules)).toBeGreaterThan(0);
  });
});
