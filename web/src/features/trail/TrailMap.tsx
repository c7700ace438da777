import '@mantine/core/styles/Input.layer.css';
import { NativeSelect } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type Audience, audiences, type TrailMap as Shown } from '@wayquest/contracts';
import { useMemo, useState } from 'react';
import { onMap } from '../../entities/challenges/on-map.ts';
import { among } from '../../shared/lib/query-params.ts';
import { useMutation } from '../../shared/lib/use-mutation.ts';
import { SmallMap } from '../../shared/map/SmallMap.tsx';
import { FormError } from '../../shared/ui/FormError.tsx';
import classes from './TrailBook.module.css';
import { useTranslations } from './translations.ts';

/** Selects who may see the person's own map. */
function Readers({ userId, chosen }: { userId: number; chosen: Audience }) {
  const t = useTranslations();
  const [shownTo, setShownTo] = useState(chosen);
  const { make, state, error } = useMutation();
  const isChanging = state === 'loading';
  const choose = (wished: Audience) => {
    if (isChanging) return;
    void make(
      (api) => api.showTrailMap({ params: { id: String(userId) }, body: { shownTo: wished } }),
      (kept) => setShownTo(kept.shownTo),
    );
  };
  return (
    <>
      <NativeSelect
        className={classes.readers ?? ''}
        name="shownTo"
        label={t('readers')}
        rightSection={<IconChevronDown size={18} aria-hidden />}
        aria-disabled={isChanging}
        data={audiences.map((value) => ({ value, label: t(value) }))}
        value={shownTo}
        onChange={({ currentTarget }) => choose(among(audiences, currentTarget.value) ?? 'me')}
      />
      <FormError>{error}</FormError>
    </>
  );
}

/** The places of a trail book on a map, for readers who may see it. */
export function TrailMap({ userId, map: { places, shownTo } }: { userId: number; map: Shown }) {
  const t = useTranslations();
  const spots = useMemo(
    () =>
      places.map(({ challengeId, name, position }) => ({
        id: challengeId,
        name,
        position,
        to: `/challenges/${challengeId}`,
      })),
    [places],
  );
  return (
    <>
      {spots.length > 0 && (
        <div className={classes.map}>
          <SmallMap label={t('map')} spots={spots} toSeveral={onMap} />
        </div>
      )}
      {spots.length === 0 && shownTo && <p className={classes.nowhere}>{t('nowhere')}</p>}
      {shownTo && <Readers userId={userId} chosen={shownTo} />}
    </>
  );
}
