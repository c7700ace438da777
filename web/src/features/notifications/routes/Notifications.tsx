import { Button, Skeleton, Text } from '@mantine/core';
import type { Client, Notification } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { closeShownNotifications } from '../../../shared/lib/service-worker.ts';
import { setUnread, useUnreadNotifications } from '../../../shared/lib/unread-notifications.ts';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { pageOf } from '../../../shared/lib/use-pages.ts';
import { useQuery } from '../../../shared/lib/use-query.ts';
import { Empty, Failure, FormError } from '../../../shared/ui/Message.tsx';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';
import { NotificationItem } from '../components/NotificationItem.tsx';
import notificationListClasses from '../components/NotificationList.module.css';
import { NotificationSettings } from '../components/NotificationSettings.tsx';
import { useTranslations } from '../translations.ts';
import classes from './Notifications.module.css';

interface NotificationPage {
  items: Notification[];
  /** Cursor of the next page. */
  next: string | null;
}

async function loadPage(client: Client, cursor?: string): Promise<NotificationPage> {
  const query = cursor ? { cursor } : {};
  const { data, next } = await pageOf((options) => client.listNotifications({ query }, options));
  return { items: data, next };
}

/** Merges pages, newest first; a notification that moved up while it is shown appears once. */
const mergePages = (newest: NotificationPage, older: NotificationPage[]): Notification[] => {
  const all = [newest, ...older].flatMap(({ items }) => items);
  return [...new Map(all.toReversed().map((item) => [item.id, item])).values()].toReversed();
};

/** The person's notifications, as long as they are stored. */
function NotificationList() {
  const t = useTranslations();
  const { count, changes } = useUnreadNotifications();
  const query = useQuery(`notifications ${changes}`, loadPage);
  const [newest, setNewest] = useState<NotificationPage | null>(null);
  const [older, setOlder] = useState<NotificationPage[]>([]);
  const loadingMore = useMutation();
  const marking = useMutation();
  const focusFallback = useFocusFallback<HTMLDivElement>();
  useEffect(() => {
    if (query.data) setNewest(query.data);
  }, [query.data]);

  const next = (older.at(-1) ?? newest)?.next;
  const loadNextPage = (cursor: string) =>
    loadingMore.mutate(
      (client) => loadPage(client, cursor),
      (page) => setOlder((pages) => [...pages, page]),
    );
  const mark = (which: { id: string } | { until: string }) =>
    marking.mutate(
      (client) => client.markNotificationsRead({ body: which }),
      ({ unread }) => {
        setUnread(unread);
        void closeShownNotifications((id) => unread === 0 || ('id' in which && which.id === id));
      },
    );

  if (!newest && query.state === 'failed') return <Failure onRetry={query.refetch}>{query.error}</Failure>;
  if (!newest) {
    return (
      <Pending className={notificationListClasses.list}>
        {[0, 1, 2].map((place) => (
          <Skeleton key={place} height={72} radius="md" mb={8} />
        ))}
      </Pending>
    );
  }
  const items = mergePages(newest, older);
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
      <FormError>{marking.error ?? loadingMore.error}</FormError>
      <ul className={notificationListClasses.list} aria-label={t('title')}>
        {items.map((item) => (
          <NotificationItem key={item.id} notification={item} onRead={() => mark({ id: item.id })} />
        ))}
      </ul>
      {next && (
        <Button
          variant="default"
          loading={loadingMore.state === 'loading'}
          onClick={() => loadNextPage(next)}
        >
          {t('more')}
        </Button>
      )}
    </div>
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
