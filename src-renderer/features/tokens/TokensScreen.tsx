import { useDocumentTitle } from '@mantine/hooks';
import { Page } from '../../ui/Page.tsx';
import { GetToken } from './GetToken.tsx';
import { InspectToken } from './InspectToken.tsx';

export function TokensScreen() {
  useDocumentTitle('Tokens · Proviso');
  return (
    <Page
      title="Tokens"
      intro="A token stands for a user until it expires or the user's Secret changes; a single token cannot be taken back. What is shown here stays in this window's memory and is gone when you leave the screen."
    >
      <GetToken />
      <InspectToken />
    </Page>
  );
}
