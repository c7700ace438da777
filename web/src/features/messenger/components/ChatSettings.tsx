import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Skeleton, Switch } from '@mantine/core';
import type { ChatPreferences } from '@wayquest/contracts';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Failure, FormError } from '../../../shared/ui/Message.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import {
  preferencesRequested,
  preferencesSubmitted,
  selectPreferences,
  selectPreferencesError,
  selectPreferencesState,
} from '../preferences-slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './ChatSettings.module.css';

const switches = [
  { name: 'keepDrafts', description: 'keepDraftsDescription' },
  { name: 'showTyping', description: 'showTypingDescription' },
  { name: 'sendReadReceipts', description: 'sendReadReceiptsDescription' },
] as const satisfies { name: keyof ChatPreferences; description: string }[];

function Switches() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const preferences = useSelector(selectPreferences);
  const state = useSelector(selectPreferencesState);
  const error = useSelector(selectPreferencesError);
  if (state === 'failed') return <Failure onRetry={() => dispatch(preferencesRequested())}>{error}</Failure>;
  if (state !== 'ready') {
    return (
      <Pending>
        <Skeleton height={160} />
      </Pending>
    );
  }
  return (
    <div className={classes.switches}>
      {switches.map(({ name, description }) => (
        <Switch
          key={name}
          name={name}
          label={t(name)}
          description={t(description)}
          size="md"
          checked={preferences[name]}
          onChange={({ currentTarget }) => dispatch(preferencesSubmitted({ [name]: currentTarget.checked }))}
        />
      ))}
      <FormError>{error}</FormError>
    </div>
  );
}

/** The person's chat preferences. */
export function ChatSettings() {
  const t = useTranslations();
  const dispatch = useDispatch();
  useEffect(() => {
    dispatch(preferencesRequested());
  }, [dispatch]);
  return (
    <Section titleId="chat-title" title={t('tab')}>
      <Switches />
    </Section>
  );
}
