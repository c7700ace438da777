import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { NativeSelect, Skeleton, Switch, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { audiences } from '@wayquest/contracts';
import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/privacy.ts';
import { parseOption } from '../../shared/lib/query-params.ts';
import { useMutation } from '../../shared/lib/use-mutation.ts';
import { useResource } from '../../shared/lib/use-resource.ts';
import { Loaded } from '../../shared/ui/Loaded.tsx';
import { FormError } from '../../shared/ui/Message.tsx';
import { Section } from '../../shared/ui/Section.tsx';
import classes from './PrivacySettings.module.css';

const { useTranslations } = catalogue('privacy', english);

const visibilityRows = [
  { name: 'name', description: 'nameDescription' },
  { name: 'town', description: 'townDescription' },
  { name: 'participation', description: 'participationDescription' },
] as const;

const toggles = [
  { name: 'requests', description: 'requestsDescription' },
  { name: 'leaderboards', description: 'leaderboardsDescription' },
  { name: 'presence', description: 'presenceDescription' },
] as const;

function Choices() {
  const t = useTranslations();
  const query = useResource('getPrivacy', {});
  const change = useMutation('updatePrivacy');
  const isChanging = change.state === 'loading';
  const choose = (body: Parameters<typeof change.send>[0]['body']) => {
    if (!isChanging) change.send({ body }, query.replace);
  };
  return (
    <Loaded of={query} pending={<Skeleton height={480} />}>
      {(privacy) => (
        <div className={classes.choices}>
          {visibilityRows.map(({ name, description }) => (
            <NativeSelect
              key={name}
              className={classes.audience ?? ''}
              name={`privacy-${name}`}
              label={t(name)}
              description={t(description)}
              rightSection={<IconChevronDown size={18} aria-hidden />}
              aria-disabled={isChanging}
              data={audiences.map((value) => ({ value, label: t(value) }))}
              value={privacy[name]}
              onChange={({ currentTarget }) =>
                choose({ [name]: parseOption(audiences, currentTarget.value) ?? 'me' })
              }
            />
          ))}
          {toggles.map(({ name, description }) => (
            <Switch
              key={name}
              name={`privacy-${name}`}
              label={t(name)}
              description={t(description)}
              size="md"
              aria-disabled={isChanging}
              checked={privacy[name]}
              onChange={({ currentTarget }) => choose({ [name]: currentTarget.checked })}
            />
          ))}
          <FormError>{change.error}</FormError>
        </div>
      )}
    </Loaded>
  );
}

/** The person's privacy settings. */
export function PrivacySettings() {
  const t = useTranslations();
  return (
    <Section titleId="privacy-title" title={t('title')}>
      <Text mb={16}>{t('lead')}</Text>
      <Choices />
    </Section>
  );
}
