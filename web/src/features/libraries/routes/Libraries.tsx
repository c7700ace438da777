import libraries from 'virtual:libraries';
import { Text } from '@mantine/core';
import { Page } from '../../../shared/ui/Page.tsx';
import { PageTitle } from '../../../shared/ui/PageTitle.tsx';
import { LibraryTable } from '../components/LibraryTable.tsx';
import { useTranslations } from '../translations.ts';

export default function Libraries() {
  const t = useTranslations();
  return (
    <Page>
      <PageTitle>{t('title')}</PageTitle>
      <Text c="dimmed" size="lg" mt={8} mb={32} maw={640}>
        {t('lead')}
      </Text>
      <Text mb={32} maw={640}>
        {t('places')} <a href="https://www.geonames.org">GeoNames</a>. {t('tiles')}{' '}
        <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a>. {t('coasts')}
      </Text>
      <LibraryTable title={t('running')} libraries={libraries.filter(({ runtime }) => runtime)} />
      <LibraryTable title={t('building')} libraries={libraries.filter(({ runtime }) => !runtime)} />
    </Page>
  );
}
