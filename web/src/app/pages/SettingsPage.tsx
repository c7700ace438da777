import { useMantineColorScheme } from '@mantine/core';
import {
  IconAdjustments,
  IconChevronLeft,
  IconChevronRight,
  IconEye,
  IconKey,
  IconMessages,
  IconUser,
  type TablerIcon,
} from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { useSelector } from 'react-redux';
import { Link, useLocation } from 'react-router-dom';
import { selectUser } from '../../entities/auth/slice.ts';
import { chooseUnits, currentUnits } from '../../entities/challenges/location.ts';
import { AccountSettings, LoginSettings } from '../../features/account/Account.tsx';
import { useTranslations } from '../../features/account/translations.ts';
import { BlockedPeople } from '../../features/blocks/Blocks.tsx';
import { ChatSettings } from '../../features/messenger/components/ChatSettings.tsx';
import { NotificationSettings } from '../../features/notifications/components/NotificationSettings.tsx';
import { PrivacySettings } from '../../features/privacy/PrivacySettings.tsx';
import { useCommonTranslations } from '../../shared/i18n/common.ts';
import { ChoiceButtons, LanguageChoice } from '../../shared/ui/ChoiceButtons.tsx';
import { Page, PageTitle } from '../../shared/ui/Page.tsx';
import { Section } from '../../shared/ui/Section.tsx';
import { useHashScroll } from '../../shared/ui/scroll-position.ts';
import classes from './SettingsPage.module.css';

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
  const t = useTranslations();
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

function DisplaySettings() {
  const t = useTranslations();
  const common = useCommonTranslations();
  return (
    <Section titleId="display-title" title={t('display')}>
      <Choice label={common('language')}>
        <LanguageChoice />
      </Choice>
      <Choice label={t('theme')}>
        <ThemeChoice />
      </Choice>
      <Choice label={t('units')}>
        <UnitsChoice />
      </Choice>
    </Section>
  );
}

function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.choice}>
      <span>{label}</span>
      {children}
    </div>
  );
}

function PrivacyAndSafety() {
  return (
    <>
      <PrivacySettings />
      <BlockedPeople />
    </>
  );
}

function MessagesAndNotifications() {
  return (
    <>
      <ChatSettings />
      <NotificationSettings />
    </>
  );
}

interface Group {
  /** The fragment of its address. */
  id: 'general' | 'privacy' | 'messages' | 'login' | 'account';
  Icon: TablerIcon;
  Settings: ComponentType;
  /** Other fragments that it is shown for: headings in it, and what a login at another site responds. */
  fragments: RegExp;
}

const general: Group = {
  id: 'general',
  Icon: IconAdjustments,
  Settings: DisplaySettings,
  fragments: /^display-title$/,
};
const groups: Group[] = [
  general,
  { id: 'privacy', Icon: IconEye, Settings: PrivacyAndSafety, fragments: /^(privacy|blocks)-title$/ },
  {
    id: 'messages',
    Icon: IconMessages,
    Settings: MessagesAndNotifications,
    fragments: /^(chat|notification-settings)-title$/,
  },
  {
    id: 'login',
    Icon: IconKey,
    Settings: LoginSettings,
    fragments: /^((email|password|passkeys|openid|google|sessions)-title$|(link|openid-link|problem)=)/,
  },
  { id: 'account', Icon: IconUser, Settings: AccountSettings, fragments: /^(data|decisions|delete)-title$/ },
];

/**
 * The settings, one group of sections at a time, which the fragment names. Beside it is the index of groups; on a phone
 * the index is a page of its own, which links to the groups and back.
 */
export default function SettingsPage() {
  const t = useTranslations();
  const user = useSelector(selectUser);
  const { hash } = useLocation();
  useHashScroll(true);
  const fragment = hash.slice(1);
  const chosen = groups.find(({ id, fragments }) => id === fragment || fragments.test(fragment));
  const { id: shown, Settings } = chosen ?? general;
  if (!user) return null;
  return (
    <Page>
      <div className={classes.settings} id={shown} data-chosen={chosen !== undefined}>
        <div className={classes.title}>
          <Link to="/settings" className={classes.back}>
            <IconChevronLeft size={20} stroke={1.75} aria-hidden />
            {t('settings')}
          </Link>
          <PageTitle key={fragment}>{chosen ? t(shown) : t('settings')}</PageTitle>
        </div>
        <nav className={classes.index} aria-label={t('settings')}>
          {groups.map(({ id, Icon }) => (
            <Link key={id} to={`#${id}`} aria-current={id === shown || undefined}>
              <Icon size={20} stroke={1.75} aria-hidden />
              <span>{t(id)}</span>
              <IconChevronRight className={classes.chevron} size={20} stroke={1.75} aria-hidden />
            </Link>
          ))}
        </nav>
        <div className={classes.sections}>
          <Settings />
        </div>
      </div>
    </Page>
  );
}
