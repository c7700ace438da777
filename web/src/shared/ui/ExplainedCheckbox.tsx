import type { ComponentProps } from 'react';
import classes from './ExplainedCheckbox.module.css';

interface Props extends ComponentProps<'input'> {
  label: string;
  explanation: string;
}

/** A native checkbox with an explanation. */
export function ExplainedCheckbox({ label, explanation, ...input }: Props) {
  const explanationId = `${input.name}-explanation`;
  return (
    <div className={classes.choice}>
      <label>
        <input type="checkbox" aria-describedby={explanationId} {...input} />
        {label}
      </label>
      <p id={explanationId}>{explanation}</p>
    </div>
  );
}
