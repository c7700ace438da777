import { Text } from '@mantine/core';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import { NotificationList } from '../components/NotificationList.tsx';
import { NotificationSettings } from '../components/NotificationSettings.tsx';
import { useTranslations } from '../translations.ts';
import classes from './Notifications.module.css';

/** The person's notifications, and their settings. */
export default function Notifications() {
  const t = useTranslations();
  return (
    <Page>
      <PageTitle>{t('title')}</PageTitle>
      <Text c="dimmed" size="lg" mt={8} mb={24}>
        {t('lead')}
      </Text>
      <div className={classes.parts}>
        <NotificationList />
        <NotificationSettings />
      </div>
    </Page>
  );
}
