import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Skeleton, Switch } from '@mantine/core';
import type { NotificationPreferences } from '@wayquest/contracts';
import { useContext, useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { selectUser } from '../../../entities/auth/slice.ts';
import { browserTokens } from '../../../shared/lib/tokens.ts';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { ApiContext, useQuery } from '../../../shared/lib/use-query.ts';
import { Failure, FormError } from '../../../shared/ui/Message.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { endPush, type PushState, pushState, startPush } from '../push.ts';
import { useTranslations } from '../translations.ts';
import classes from './NotificationSettings.module.css';

const labels = {
  'friend-requested': 'aboutFriendRequested',
  'friend-accepted': 'aboutFriendAccepted',
  'challenge-joined': 'aboutChallengeJoined',
  'challenge-completed': 'aboutChallengeCompleted',
  'challenge-changed': 'aboutChallengeChanged',
  'challenge-ending': 'aboutChallengeEnding',
} as const satisfies Record<keyof NotificationPreferences, string>;

const isKind = (name: string): name is keyof NotificationPreferences => Object.hasOwn(labels, name);
const kinds = Object.keys(labels).filter(isKind);

const descriptions = {
  on: 'pushDescription',
  off: 'pushDescription',
  blocked: 'pushBlocked',
  unsupported: 'pushUnsupported',
} as const satisfies Record<PushState, string>;

/** Turns push notifications on or off in this browser. */
function PushSwitch() {
  const t = useTranslations();
  const user = useSelector(selectUser);
  const [state, setState] = useState<PushState>('off');
  const change = useMutation();
  const api = useContext(ApiContext);
  const userId = user?.id;
  useEffect(() => {
    if (userId !== undefined) void pushState({ api, tokens: browserTokens }, userId).then(setState);
  }, [api, userId]);
  const isDisabled = state === 'blocked' || change.state === 'loading';
  const set = (isEnabled: boolean) => {
    if (userId === undefined || isDisabled) return;
    void change.mutate(async () => {
      if (isEnabled) return startPush({ api, tokens: browserTokens }, userId);
      await endPush();
      return 'off';
    }, setState);
  };
  return (
    <>
      <Switch
        name="push"
        label={t('push')}
        description={t(descriptions[state])}
        size="md"
        checked={state === 'on'}
        disabled={state === 'unsupported'}
        // `aria-disabled` keeps the focus if pressing the switch causes it.
        aria-disabled={isDisabled || undefined}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      {change.error && <FormError>{change.error}</FormError>}
    </>
  );
}

function Switches() {
  const t = useTranslations();
  const query = useQuery('preferences', (client) => client.getNotificationPreferences());
  const [changed, setChanged] = useState<NotificationPreferences | null>(null);
  const change = useMutation();
  const preferences = changed ?? query.data;
  if (query.state === 'failed') return <Failure onRetry={query.refetch}>{query.error}</Failure>;
  if (!preferences) {
    return (
      <Pending>
        <Skeleton height={344} />
      </Pending>
    );
  }
  const set = (kind: keyof NotificationPreferences, isEnabled: boolean) => {
    setChanged({ ...preferences, [kind]: isEnabled });
    void change.mutate(
      (client) => client.updateNotificationPreferences({ body: { [kind]: isEnabled } }),
      setChanged,
    );
  };
  return (
    <div className={classes.switches}>
      {kinds.map((kind) => (
        <Switch
          key={kind}
          name={kind}
          label={t(labels[kind])}
          size="md"
          checked={preferences[kind]}
          onChange={({ currentTarget }) => set(kind, currentTarget.checked)}
        />
      ))}
      <PushSwitch />
      {change.error && <FormError>{change.error}</FormError>}
    </div>
  );
}

/** Which notifications the person gets, and where. */
export function NotificationSettings() {
  const t = useTranslations();
  return (
    <Section titleId="notification-settings-title" title={t('settings')}>
      <Switches />
    </Section>
  );
}
