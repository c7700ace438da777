import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { Autocomplete } from '@mantine/core';
import { type FoundPlace, textLimits } from '@wayquest/contracts';
import { usePlaceSearch } from '../../../entities/challenges/place-search.ts';
import { useWelcomeTranslations } from '../welcome-translations.ts';
import classes from './Welcome.module.css';

const labelOf = ({ name, vicinity }: FoundPlace) => [name, vicinity].filter(Boolean).join(', ');

interface Props {
  text: string;
  onChange(text: string): void;
  onChoose(town: FoundPlace, label: string): void;
}

/** The field for a town, which suggests towns while a person is typing. */
export function TownField({ text, onChange, onChoose }: Props) {
  const t = useWelcomeTranslations();
  const { found, tooLong, setChosen } = usePlaceSearch(text, textLimits.city);
  // Others are places such as museums.
  const towns = new Map(found?.filter(({ type }) => type === null).map((town) => [labelOf(town), town]));
  return (
    <Autocomplete
      className={classes.townField ?? ''}
      label={t('town')}
      description={t('townHint')}
      ref={tooLong.ref}
      errorProps={{ role: 'alert' }}
      value={text}
      onChange={onChange}
      // Otherwise a phone's bar or keyboard may cover it, or its suggestions.
      onFocus={({ currentTarget }) => currentTarget.scrollIntoView({ block: 'center' })}
      data={[...towns.keys()]}
      filter={({ options }) => options}
      onOptionSubmit={(label) => {
        const town = towns.get(label);
        setChosen(label);
        if (town) onChoose(town, label);
      }}
      error={tooLong.error}
      comboboxProps={{ shadow: 'md', position: 'bottom-start', portalProps: { target: '#main' } }}
    />
  );
}
