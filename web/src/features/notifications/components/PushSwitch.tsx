import { Switch } from '@mantine/core';
import { useContext, useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { selectUser } from '../../../entities/auth/selectors.ts';
import { browserTokens } from '../../../shared/lib/tokens.ts';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { ApiContext } from '../../../shared/lib/use-query.ts';
import { FormError } from '../../../shared/ui/FormError.tsx';
import { endPush, type PushState, pushState, startPush } from '../push.ts';
import { useTranslations } from '../translations.ts';

const stories = {
  on: 'pushStory',
  off: 'pushStory',
  refused: 'pushRefused',
  impossible: 'pushImpossible',
} as const satisfies Record<PushState, string>;

/** Turns push notifications on or off in this browser. */
export function PushSwitch() {
  const t = useTranslations();
  const user = useSelector(selectUser);
  const [state, setState] = useState<PushState>('off');
  const change = useMutation();
  const api = useContext(ApiContext);
  const userId = user?.id;
  useEffect(() => {
    if (userId !== undefined) void pushState({ api, tokens: browserTokens }, userId).then(setState);
  }, [api, userId]);
  const isHeld = state === 'refused' || change.state === 'loading';
  const set = (wanted: boolean) => {
    if (userId === undefined || isHeld) return;
    void change.make(async () => {
      if (wanted) return startPush({ api, tokens: browserTokens }, userId);
      await endPush();
      return 'off';
    }, setState);
  };
  return (
    <>
      <Switch
        name="push"
        label={t('push')}
        description={t(stories[state])}
        size="md"
        checked={state === 'on'}
        disabled={state === 'impossible'}
        // `aria-disabled` keeps the focus if pressing the switch causes it.
        aria-disabled={isHeld || undefined}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      {change.error && <FormError>{change.error}</FormError>}
    </>
  );
}
