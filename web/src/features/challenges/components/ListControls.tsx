import { Button, NativeSelect } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconChevronDown } from '@tabler/icons-react';
import { difficulties, placeCategories, textLimits } from '@wayquest/contracts';
import { useEffect, useId, useRef, useState } from 'react';
import { currentUnits, formatDistance } from '../../../entities/challenges/location.ts';
import { usePlaceCategoryTranslations } from '../../../entities/challenges/place-category-translations.ts';
import type { ChallengesQuery } from '../../../entities/challenges/slice.ts';
import { useChallengeTranslations } from '../../../entities/challenges/translations.ts';
import { parseOption } from '../../../shared/lib/query-params.ts';
import { LimitedTextInput } from '../../../shared/ui/limited-text.tsx';
import { FormError } from '../../../shared/ui/Message.tsx';
import { isTooLong } from '../../../shared/ui/text-limit.ts';
import { useNearMe } from '../../../shared/ui/use-position.ts';
import { type ListAddress, orders, phases, radii } from '../address.ts';
import { useTranslations } from '../translations.ts';
import classes from './ListControls.module.css';

const orderLabels = { newest: 'newest', nearest: 'nearest', ending: 'ending', joined: 'joinedMost' } as const;

interface Props {
  filters: ChallengesQuery;
  onChange(part: Partial<ListAddress>): void;
}

/** Filters and order of the list. */
export function ListControls({
  filters: { search, phase, difficulty, placeCategory, sort, near, within },
  onChange,
}: Props) {
  const t = useTranslations();
  const ofChallenge = useChallengeTranslations();
  const kinds = usePlaceCategoryTranslations();
  const [text, setText] = useState(search);
  useEffect(() => setText(search), [search]);
  const searchFor = useDebouncedCallback((text: string) => {
    if (!isTooLong(text, textLimits.search)) onChange({ search: text });
  }, 300);
  const nearMe = useNearMe((here) => onChange({ near: here, ...pendingFilters.current }));
  /** Filters that take effect once the position is known. */
  const pendingFilters = useRef<Partial<ListAddress>>({});
  const [open, setOpen] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Once its fields are there, since it focuses the first of them.
  useEffect(() => {
    if (open) dialog.current?.showModal();
  }, [open]);
  const chosen = [
    phase && t(phase),
    difficulty && ofChallenge(difficulty),
    placeCategory && kinds(placeCategory),
    within && t('withinReach', { distance: formatDistance(within * 1_000) }),
    sort !== (near ? 'nearest' : 'newest') && t(orderLabels[sort]),
  ].filter((words) => typeof words === 'string');
  const offered = radii[currentUnits()];
  // A link may contain one in other units.
  const distances = within && !offered.includes(within) ? [within, ...offered] : offered;
  const chevron = <IconChevronDown size={18} aria-hidden />;
  const closed = () => {
    setOpen(false);
    nearMe.clear();
  };
  const filters = (
    <>
      <NativeSelect
        label={t('phase')}
        name="filter-phase"
        rightSection={chevron}
        data={[{ value: '', label: t('current') }, ...phases.map((value) => ({ value, label: t(value) }))]}
        value={phase ?? ''}
        onChange={({ currentTarget }) => onChange({ phase: parseOption(phases, currentTarget.value) })}
      />
      <NativeSelect
        label={ofChallenge('difficulty')}
        name="filter-difficulty"
        rightSection={chevron}
        data={[
          { value: '', label: t('anyDifficulty') },
          ...difficulties.map((value) => ({ value, label: ofChallenge(value) })),
        ]}
        value={difficulty ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ difficulty: parseOption(difficulties, currentTarget.value) })
        }
      />
      <NativeSelect
        label={ofChallenge('kind')}
        name="filter-place-category"
        rightSection={chevron}
        data={[
          { value: '', label: t('anyKind') },
          ...placeCategories.map((value) => ({ value, label: kinds(value) })),
        ]}
        value={placeCategory ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ placeCategory: parseOption(placeCategories, currentTarget.value) })
        }
      />
      <NativeSelect
        label={t('within')}
        name="filter-within"
        rightSection={chevron}
        aria-disabled={nearMe.isRequesting || undefined}
        data={[
          { value: '', label: t('anywhere') },
          ...distances.map((km) => ({ value: String(km), label: formatDistance(km * 1_000) })),
        ]}
        value={within ?? ''}
        onChange={({ currentTarget }) => {
          if (nearMe.isRequesting) return;
          const km = Number(currentTarget.value) || null;
          if (near || !km) return onChange(km ? { within: km, near } : { within: null });
          pendingFilters.current = { within: km };
          nearMe.request();
        }}
      />
      <NativeSelect
        label={t('sort')}
        name="sort"
        rightSection={chevron}
        aria-disabled={nearMe.isRequesting || undefined}
        data={orders.map((value) => ({ value, label: t(orderLabels[value]) }))}
        value={sort}
        onChange={({ currentTarget }) => {
          if (nearMe.isRequesting) return;
          const chosen = parseOption(orders, currentTarget.value) ?? 'newest';
          if (near || chosen !== 'nearest') return onChange({ sort: chosen });
          pendingFilters.current = { sort: chosen };
          nearMe.request();
        }}
      />
      <FormError>
        {nearMe.failure && t(nearMe.failure === 'denied' ? 'positionDenied' : 'positionFailed')}
      </FormError>
    </>
  );
  return (
    <search className={classes.controls}>
      <LimitedTextInput
        label={t('search')}
        name="search"
        type="search"
        limit={textLimits.search}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          searchFor(currentTarget.value);
        }}
      />
      {/* On a phone the first challenges come before what narrows them, which is a sheet there. */}
      <Button
        className={classes.toggle ?? ''}
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {chosen.length ? t('filtersChosen', { chosen: chosen.length }) : t('filters')}
      </Button>
      {chosen.length > 0 && <p className={classes.chosen}>{chosen.join(' · ')}</p>}
      {!open && <div className={classes.filters}>{filters}</div>}
      <dialog ref={dialog} className={classes.sheet} aria-labelledby={titleId} onClose={closed}>
        <h2 id={titleId}>{t('filters')}</h2>
        {open && <div className={classes.fields}>{filters}</div>}
        <Button fullWidth mt={24} onClick={() => dialog.current?.close()}>
          {t('showChosen')}
        </Button>
      </dialog>
    </search>
  );
}
