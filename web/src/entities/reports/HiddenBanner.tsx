import { Button } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import type { Challenge } from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { useQuery } from '../../shared/lib/use-query.ts';
import { useFocusFallback } from '../../shared/ui/use-focus-fallback.ts';
import { selectUser } from '../auth/slice.ts';
import { AppealButton } from './AppealButton.tsx';
import classes from './Reports.module.css';
import { useTranslations } from './translations.ts';

/** Tells the creator and admins that a challenge is hidden; the creator can appeal here. */
export function HiddenBanner({ challenge: { id, creator } }: { challenge: Challenge }) {
  const t = useTranslations();
  const me = useSelector(selectUser);
  const focusFallback = useFocusFallback<HTMLElement>();
  const own = me?.id === creator.id;
  const caseId = `challenge-${id}`;
  const decisions = useQuery(own ? caseId : null, (client) => client.listOwnDecisions());
  const mayAppeal = decisions.data?.some((each) => each.caseId === caseId && each.mayAppeal);
  const story = !own ? 'hiddenStory' : mayAppeal === false ? 'hiddenAppealed' : 'hiddenYours';
  return (
    <aside className={classes.banner} aria-label={t('hiddenTitle')} {...focusFallback}>
      <IconEyeOff size={24} stroke={1.75} aria-hidden />
      <div>
        <strong>{t('hiddenTitle')}</strong>
        <p>{t(story)}</p>
      </div>
      {own && mayAppeal !== false && (
        <AppealButton caseId={caseId} disabled={!mayAppeal} onDone={decisions.refetch} />
      )}
      {me?.admin && (
        <Button variant="default" component={Link} to={`/moderation?case=${caseId}`}>
          {t('look')}
        </Button>
      )}
    </aside>
  );
}
