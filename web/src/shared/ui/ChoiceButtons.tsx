import { UnstyledButton } from '@mantine/core';
import classes from './ChoiceButtons.module.css';

interface Props<V extends string> {
  /** What is chosen, for screen readers. */
  label: string;
  /** `lang`: the language of the label, if it is another one. */
  choices: { value: V; label: string; lang?: string }[];
  chosen: V;
  onChoose(value: V): void;
}

/** A few choices side by side, of which one holds. */
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
