import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Paper, Skeleton, Switch } from '@mantine/core';
import type { ChatPreferences } from '@wayquest/contracts';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { FormError } from '../../../shared/ui/FormError.tsx';
import { Failure } from '../../../shared/ui/Message.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import {
  preferencesRequested,
  preferencesSubmitted,
  selectPreferences,
  selectPreferencesError,
  selectPreferencesState,
} from '../preferences-slice.ts';
import classes from './ChatSettings.module.css';

const switches: { name: keyof ChatPreferences; label: string; description: string }[] = [
  { name: 'keepDrafts', label: 'Keep drafts', description: 'Unsent text waits for you in its conversation.' },
  { name: 'showTyping', label: 'Show when I write', description: 'Friends see that an answer is coming.' },
  {
    name: 'showReadMarks',
    label: 'Show what I have read',
    description: 'Friends see how far you have read.',
  },
];

function Switches() {
  const dispatch = useDispatch();
  const preferences = useSelector(selectPreferences);
  const state = useSelector(selectPreferencesState);
  const error = useSelector(selectPreferencesError);
  if (state === 'failed') return <Failure onRetry={() => dispatch(preferencesRequested())}>{error}</Failure>;
  if (state !== 'ready') {
    return (
      <Pending what="the settings">
        <Skeleton height={160} />
      </Pending>
    );
  }
  return (
    <div className={classes.switches}>
      {switches.map(({ name, label, description }) => (
        <Switch
          key={name}
          name={name}
          label={label}
          description={description}
          size="md"
          checked={preferences[name]}
          onChange={({ currentTarget }) => dispatch(preferencesSubmitted({ [name]: currentTarget.checked }))}
        />
      ))}
      <FormError>{error}</FormError>
    </div>
  );
}

/** What the person wants of chat. */
export function ChatSettings() {
  const dispatch = useDispatch();
  useEffect(() => {
    dispatch(preferencesRequested());
  }, [dispatch]);
  return (
    <Paper className={classes.card} radius="lg" component="section" aria-labelledby="chat-title">
      <h2 id="chat-title">Messenger</h2>
      <Switches />
    </Paper>
  );
}
