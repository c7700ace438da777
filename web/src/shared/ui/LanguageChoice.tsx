import { UnstyledButton } from '@mantine/core';
import { useDispatch } from 'react-redux';
import { noticed } from '../notice/notice-slice.ts';
import { currentLanguage, type Language, languages } from '../words/catalogue.ts';
import { useCommonWords } from '../words/common.ts';
import { chooseLanguage, languageTags } from '../words/language.ts';
import classes from './LanguageChoice.module.css';

/** The language of the interface, and the others that it could have. */
export function LanguageChoice() {
  const t = useCommonWords();
  const dispatch = useDispatch();
  const choose = async (language: Language) => {
    try {
      await chooseLanguage(language);
    } catch {
      dispatch(noticed({ text: t('outOfReach'), tone: 'bad' }));
    }
  };
  return (
    <fieldset className={classes.languages} aria-label={t('language')}>
      {(['en', 'zh'] as const).map((language) => (
        <UnstyledButton
          key={language}
          className={classes.language}
          lang={languageTags[language]}
          aria-pressed={language === currentLanguage()}
          onClick={() => choose(language)}
        >
          {languages[language]}
        </UnstyledButton>
      ))}
    </fieldset>
  );
}
