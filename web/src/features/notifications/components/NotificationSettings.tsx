import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Skeleton, Switch } from '@mantine/core';
import type { NotificationPreferences } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { selectUser } from '../../../entities/auth/slice.ts';
import { useMutation, useSaga } from '../../../shared/lib/use-mutation.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import type { Deps } from '../../../shared/saga/deps.ts';
import { request } from '../../../shared/saga/request.ts';
import { Loaded } from '../../../shared/ui/Loaded.tsx';
import { FormError } from '../../../shared/ui/Message.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { endPush, type PushState, pushState, startPush } from '../push.ts';
import { useTranslations } from '../translations.ts';
import classes from './NotificationSettings.module.css';

const labels = {
  'friend-requested': 'aboutFriendRequested',
  'friend-accepted': 'aboutFriendAccepted',
  'challenge-joined': 'aboutChallengeJoined',
  'challenge-completed': 'aboutChallengeCompleted',
  'completion-thanked': 'aboutCompletionThanked',
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

/** Turns push notifications on or off in this browser; without a choice it returns whether they are on. */
const switchPush = (deps: Deps, { userId, isEnabled }: { userId: number; isEnabled?: boolean }) =>
  request(deps, async () => {
    if (isEnabled) return startPush(deps, userId);
    if (isEnabled === undefined) return pushState(deps, userId);
    await endPush();
    return 'off';
  });

/** Turns push notifications on or off in this browser. */
function PushSwitch() {
  const t = useTranslations();
  const user = useSelector(selectUser);
  const [state, setState] = useState<PushState>('off');
  const loading = useSaga(switchPush);
  const change = useSaga(switchPush);
  const userId = user?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each person
  useEffect(() => {
    if (userId !== undefined) loading.send({ userId }, setState);
  }, [userId]);
  const isDisabled = state === 'blocked' || change.state === 'loading';
  const set = (isEnabled: boolean) => {
    if (userId !== undefined && !isDisabled) change.send({ userId, isEnabled }, setState);
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
  const query = useResource('getNotificationPreferences', {});
  const change = useMutation('updateNotificationPreferences');
  return (
    <Loaded of={query} pending={<Skeleton height={344} />}>
      {(preferences) => (
        <div className={classes.switches}>
          {kinds.map((kind) => (
            <Switch
              key={kind}
              name={kind}
              label={t(labels[kind])}
              size="md"
              checked={preferences[kind]}
              onChange={({ currentTarget: { checked } }) => {
                query.replace({ ...preferences, [kind]: checked });
                change.send({ body: { [kind]: checked } }, query.replace);
              }}
            />
          ))}
          <PushSwitch />
          {change.error && <FormError>{change.error}</FormError>}
        </div>
      )}
    </Loaded>
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
