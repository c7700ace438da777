import { Button, Skeleton, Text } from '@mantine/core';
import type { ActiveSession } from '@wayquest/contracts';
import { useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { formatTime } from '../../../shared/lib/moments.ts';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { Failure, FormError } from '../../../shared/ui/Message.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';
import {
  everySessionEndSubmitted,
  selectEnding,
  selectSessions,
  selectSessionsRequest,
  sessionEndSubmitted,
  sessionsRequested,
} from '../slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './Account.module.css';

/** 'Chrome on Linux', in the page's language; '' if it is unknown. */
export const deviceOf = (
  { browser, system }: Pick<ActiveSession, 'browser' | 'system'>,
  t: ReturnType<typeof useTranslations>,
): string => (browser && system ? t('device', { browser, system }) : browser || system);

function Session({ session }: { session: ActiveSession }) {
  const { id, since, current } = session;
  const t = useTranslations();
  const dispatch = useDispatch();
  const device = deviceOf(session, t) || t('unknownDevice');
  const moment = formatTime(since);
  return (
    <li className={classes.session}>
      <div>
        <Text fw={600}>{device}</Text>
        <Text size="sm" c="dimmed">
          {t('since', { moment })}
        </Text>
      </div>
      {current ? (
        <Text size="sm" fw={600}>
          {t('thisDevice')}
        </Text>
      ) : (
        <Button
          variant="default"
          aria-label={t('logOutOf', { device, moment })}
          onClick={() => dispatch(sessionEndSubmitted(id))}
        >
          {t('logOut')}
        </Button>
      )}
    </li>
  );
}

function List() {
  const dispatch = useDispatch();
  const sessions = useSelector(selectSessions);
  const { state, error } = useSelector(selectSessionsRequest);
  const focusFallback = useFocusFallback<HTMLDivElement>();
  if (state === 'failed') return <Failure onRetry={() => dispatch(sessionsRequested())}>{error}</Failure>;
  if (state !== 'ready') {
    return (
      <Pending>
        <Skeleton height={64} />
      </Pending>
    );
  }
  return (
    <div {...focusFallback}>
      <ul className={classes.sessions}>
        {sessions.map((session) => (
          <Session key={session.id} session={session} />
        ))}
      </ul>
    </div>
  );
}

/** The person's sessions, which can be ended. */
export function Sessions() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const dialog = useRef<HTMLDialogElement>(null);
  const { state, error } = useSelector(selectEnding);
  return (
    <Section titleId="sessions-title" title={t('sessions')}>
      <Text mb={16}>{t('sessionsLead')}</Text>
      <List />
      <Button variant="default" mt={24} mb={8} onClick={() => dialog.current?.showModal()}>
        {t('logOutEverywhere')}
      </Button>
      <FormError>{error}</FormError>
      <ConfirmDialog
        ref={dialog}
        title={t('confirmEverywhere')}
        confirmLabel={t('logOutEverywhere')}
        cancelLabel={t('cancel')}
        busy={state === 'loading'}
        onConfirm={() => dispatch(everySessionEndSubmitted())}
      >
        <p>{t('everywhereDescription')}</p>
      </ConfirmDialog>
    </Section>
  );
}
