import { UnstyledButton } from '@mantine/core';
import classes from './ChoiceButtons.module.css';

interface Props<V extends string> {
  /** Accessible name of the group. */
  label: string;
  /** `lang`: the language of the label, if it is another one. */
  choices: { value: V; label: string; lang?: string }[];
  chosen: V;
  onChoose(value: V): void;
}

/** A few options side by side, of which one is selected. */
export function ChoiceButtons<V extends string>({ label, choices, chosen, onChoose }: Props<V>) {
  return (
    <fieldset className={classes.choices} aria-label={label}>
      {choices.map(({ value, label: text, lang }) => (
        <UnstyledButton
          key={value}
          className={classes.choice}
          lang={lang}
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {text}
        </UnstyledButton>
      ))}
    </fieldset>
  );
}
