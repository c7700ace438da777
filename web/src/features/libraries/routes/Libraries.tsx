import libraries from 'virtual:libraries';
import { Text } from '@mantine/core';
import { Page } from '../../../shared/ui/Page.tsx';
import { PageTitle } from '../../../shared/ui/PageTitle.tsx';
import { LibraryTable } from '../components/LibraryTable.tsx';

export default function Libraries() {
  return (
    <Page>
      <PageTitle>Libraries</PageTitle>
      <Text c="dimmed" size="lg" mt={8} mb={32} maw={640}>
        Wayquest stands on the work of many others. This is what it is made with, as this build found it.
        Thank you, all of you.
      </Text>
      <Text mb={32} maw={640}>
        The map draws on data of others too: towns and postal codes are from{' '}
        <a href="https://www.geonames.org">GeoNames</a> (CC BY 4.0), tiles and addresses from{' '}
        <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> (ODbL), coasts and borders from
        Natural Earth and the US Census Bureau (public domain).
      </Text>
      <LibraryTable title="In the running app" libraries={libraries.filter(({ runtime }) => runtime)} />
      <LibraryTable title="To build and test it" libraries={libraries.filter(({ runtime }) => !runtime)} />
    </Page>
  );
}
