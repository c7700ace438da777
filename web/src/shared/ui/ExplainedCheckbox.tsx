import type { ComponentProps } from 'react';
import classes from './ToldCheckbox.module.css';

interface Props extends ComponentProps<'input'> {
  label: string;
  story: string;
}

/** A native checkbox with an explanation. */
export function ToldCheckbox({ label, story, ...input }: Props) {
  const storyId = `${input.name}-story`;
  return (
    <div className={classes.choice}>
      <label>
        <input type="checkbox" aria-describedby={storyId} {...input} />
        {label}
      </label>
      <p id={storyId}>{story}</p>
    </div>
  );
}
