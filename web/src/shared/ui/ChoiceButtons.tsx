import { UnstyledButton } from '@mantine/core';
import { useDispatch } from 'react-redux';
import { currentLanguage, type Language, languages } from '../i18n/catalogue.ts';
import { useCommonTranslations } from '../i18n/common.ts';
import { chooseLanguage, languageTags } from '../i18n/language.ts';
import { noticed } from '../notice/notice-slice.ts';
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

/** Selects the language of the interface. */
export function LanguageChoice() {
  const t = useCommonTranslations();
  const dispatch = useDispatch();
  const choose = async (language: Language) => {
    try {
      await chooseLanguage(language);
    } catch {
      dispatch(noticed({ text: t('unreachable'), tone: 'bad' }));
    }
  };
  return (
    <ChoiceButtons
      label={t('language')}
      choices={(['en', 'zh'] as const).map((value) => ({
        value,
        label: languages[value],
        lang: languageTags[value],
      }))}
      chosen={currentLanguage()}
      onChoose={choose}
    />
  );
}
