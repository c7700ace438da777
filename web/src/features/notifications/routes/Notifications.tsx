import { Button, Skeleton, Text } from '@mantine/core';
import type { Notification } from '@wayquest/contracts';
import { Link } from 'react-router-dom';
import { closeShownNotifications } from '../../../shared/lib/service-worker.ts';
import { setUnread, useUnreadNotifications } from '../../../shared/lib/unread-notifications.ts';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { type Resource, useResource } from '../../../shared/lib/use-resource.ts';
import { Loaded, MoreButton } from '../../../shared/ui/Loaded.tsx';
import { Empty, FormError } from '../../../shared/ui/Message.tsx';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';
import { NotificationItem } from '../components/NotificationItem.tsx';
import notificationListClasses from '../components/NotificationList.module.css';
import { NotificationSettings } from '../components/NotificationSettings.tsx';
import { useTranslations } from '../translations.ts';
import classes from './Notifications.module.css';

/** Merges pages, newest first; a notification that moved up while it is shown appears once. */
const mergePages = (pages: Notification[][]): Notification[] =>
  [
    ...new Map(
      pages
        .flat()
        .toReversed()
        .map((item) => [item.id, item]),
    ).values(),
  ].toReversed();

function NotificationItems({ of }: { of: Resource<Notification[]> }) {
  const t = useTranslations();
  const count = useUnreadNotifications();
  const marking = useMutation('markNotificationsRead');
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const mark = (which: { id: string } | { until: string }) =>
    marking.send({ body: which }, ({ unread }) => {
      setUnread(unread);
      void closeShownNotifications((id) => unread === 0 || ('id' in which && which.id === id));
    });
  const items = mergePages(of.pages);
  const [first] = items;
  return (
    <div className={notificationListClasses.place} {...focusFallback}>
      {!first && (
        <Empty
          action={
            <Button component={Link} to="/explore" variant="default">
              {t('explore')}
            </Button>
          }
        >
          {t('none')}
        </Empty>
      )}
      {first && (
        <div className={notificationListClasses.bar}>
          <Button
            variant="default"
            disabled={count === 0 || marking.state === 'loading'}
            onClick={() => mark({ until: first.at })}
          >
            {t('markAll')}
          </Button>
        </div>
      )}
      <FormError>{marking.error ?? of.loadingMore.error}</FormError>
      <ul className={notificationListClasses.list} aria-label={t('title')}>
        {items.map((item) => (
          <NotificationItem key={item.id} notification={item} onRead={() => mark({ id: item.id })} />
        ))}
      </ul>
      <MoreButton of={of}>{t('more')}</MoreButton>
    </div>
  );
}

/** The person's notifications, as long as they are stored. */
function NotificationList() {
  const notifications = useResource('listNotifications', {});
  return (
    <Loaded
      of={notifications}
      className={notificationListClasses.list}
      pending={[0, 1, 2].map((place) => <Skeleton key={place} height={72} radius="md" mb={8} />)}
    >
      {() => <NotificationItems of={notifications} />}
    </Loaded>
  );
}

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
