import '@mantine/core/styles/Input.layer.css';
import { Button, Skeleton, Text } from '@mantine/core';
import { type AccountFilter, textLimits } from '@wayquest/contracts';
import { type FormEvent, useEffect, useRef } from 'react';
import { useSelector } from 'react-redux';
import { Link, useSearchParams } from 'react-router-dom';
import { selectUser } from '../../../entities/auth/slice.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { Loaded, MoreButton } from '../../../shared/ui/Loaded.tsx';
import { LimitedTextInput } from '../../../shared/ui/limited-text.tsx';
import { Empty, FormError } from '../../../shared/ui/Message.tsx';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';
import classes from '../Administration.module.css';
import { AccountRow } from '../components/AccountRow.tsx';
import { Invitations } from '../components/Invitations.tsx';
import { NewAccount } from '../components/NewAccount.tsx';
import { useTranslations } from '../translations.ts';

const filters = ['all', 'waiting', 'suspended', 'admins'] as const satisfies readonly AccountFilter[];

interface Selection {
  filter: AccountFilter;
  search: string;
}

const parametersOf = ({ filter, search }: Selection) =>
  new URLSearchParams({ ...(filter !== 'all' && { filter }), ...(search && { search }) });

/** The accounts of a filter, whose usernames or addresses begin with a text. */
function AccountList({ filter, search }: Selection) {
  const t = useTranslations();
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const accounts = useResource('listAccounts', { query: { filter, ...(search && { search }) } });
  return (
    <div {...focusFallback}>
      <Loaded
        of={accounts}
        className={classes.list}
        pending={[0, 1, 2].map((place) => <Skeleton key={place} height={72} radius="md" />)}
        empty={<Empty>{t(search ? 'noneFound' : 'none')}</Empty>}
      >
        {() => (
          <>
            <ul className={classes.list}>
              {accounts.pages.flat().map((account) => (
                <AccountRow key={account.id} account={account} />
              ))}
            </ul>
            <MoreButton of={accounts}>{t('more')}</MoreButton>
            <FormError>{accounts.loadingMore.error}</FormError>
          </>
        )}
      </Loaded>
    </div>
  );
}

/** The search, which is part of the address. */
function SearchForm({ filter, search }: Selection) {
  const t = useTranslations();
  const form = useRef<HTMLFormElement>(null);
  // The field shows what the address says, also after going back. It stays the same field, which keeps the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect is for another search
  useEffect(() => form.current?.reset(), [search]);
  const [, setParameters] = useSearchParams();
  const submitted = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('search')).trim();
    setParameters(parametersOf({ filter, search: text }));
  };
  return (
    <form
      ref={form}
      className={`${classes.form} ${classes.search}`}
      onSubmit={submitted}
      aria-label={t('searchButton')}
    >
      <LimitedTextInput
        limit={textLimits.search}
        name="search"
        type="search"
        label={t('search')}
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={search}
      />
      <Button type="submit" variant="default">
        {t('searchButton')}
      </Button>
    </form>
  );
}

/** For admins: accounts, and who may get one. */
export default function Accounts() {
  const t = useTranslations();
  const me = useSelector(selectUser);
  const [parameters] = useSearchParams();
  const filter = filters.find((each) => each === parameters.get('filter')) ?? 'all';
  const search = parameters.get('search') ?? '';
  if (!me?.admin) {
    return (
      <Page width="medium">
        <PageTitle mb={24}>{t('title')}</PageTitle>
        <Empty>{t('adminsOnly')}</Empty>
      </Page>
    );
  }
  return (
    <Page width="medium">
      <PageTitle>{t('title')}</PageTitle>
      <Text c="dimmed" size="lg" mt={8}>
        {t('lead')}
      </Text>
      <nav className={classes.bar} aria-label={t('filters')}>
        {filters.map((each) => (
          <Button
            key={each}
            component={Link}
            to={`/admin/accounts?${parametersOf({ filter: each, search })}`}
            variant={each === filter ? 'filled' : 'default'}
            aria-current={each === filter || undefined}
          >
            {t(each)}
          </Button>
        ))}
      </nav>
      <SearchForm filter={filter} search={search} />
      <AccountList key={`${filter} ${search}`} filter={filter} search={search} />
      <NewAccount />
      <Invitations />
    </Page>
  );
}
