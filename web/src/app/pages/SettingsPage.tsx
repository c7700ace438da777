import { useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { useSelector } from 'react-redux';
import { selectUser } from '../../entities/auth/slice.ts';
import { chooseUnits, currentUnits } from '../../entities/challenges/location.ts';
import { Account } from '../../features/account/Account.tsx';
import { useTranslations as useAccountTranslations } from '../../features/account/translations.ts';
import { BlockedPeople } from '../../features/blocks/Blocks.tsx';
import { ChatSettings } from '../../features/messenger/components/ChatSettings.tsx';
import { NotificationSettings } from '../../features/notifications/components/NotificationSettings.tsx';
import { PrivacySettings } from '../../features/privacy/PrivacySettings.tsx';
import { useCommonTranslations } from '../../shared/i18n/common.ts';
import { ChoiceButtons, LanguageChoice } from '../../shared/ui/ChoiceButtons.tsx';
import { Page, PageTitle } from '../../shared/ui/Page.tsx';
import { Section } from '../../shared/ui/Section.tsx';
import { useTranslations } from '../layout/translations.ts';

const themes = ['auto', 'light', 'dark'] as const;

/** Light, dark or the device's color scheme. */
function ThemeChoice() {
  const t = useTranslations();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <ChoiceButtons
      label={t('theme')}
      choices={themes.map((theme) => ({ value: theme, label: t(theme) }))}
      chosen={colorScheme}
      onChoose={setColorScheme}
    />
  );
}

/** Units of distances. */
function UnitsChoice() {
  const t = useAccountTranslations();
  const [chosen, setChosen] = useState(currentUnits);
  return (
    <ChoiceButtons
      label={t('units')}
      choices={[
        { value: 'metric', label: t('metric') },
        { value: 'miles', label: t('miles') },
      ]}
      chosen={chosen}
      onChoose={(units) => {
        chooseUnits(units);
        setChosen(units);
      }}
    />
  );
}

/** The settings page: interface, privacy, messages, notifications, and their account. */
export default function SettingsPage() {
  const t = useTranslations();
  const common = useCommonTranslations();
  const ofAccount = useAccountTranslations();
  const user = useSelector(selectUser);
  if (!user) return null;
  return (
    <Page width="medium">
      <PageTitle>{t('settings')}</PageTitle>
      <Section titleId="language-title" title={common('language')}>
        <LanguageChoice />
      </Section>
      <Section titleId="theme-title" title={t('theme')}>
        <ThemeChoice />
      </Section>
      <Section titleId="units-title" title={ofAccount('units')}>
        <UnitsChoice />
      </Section>
      <PrivacySettings />
      <BlockedPeople />
      <ChatSettings />
      <NotificationSettings />
      <Account />
    </Page>
  );
}
