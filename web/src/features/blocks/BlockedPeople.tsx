import { Button, Skeleton, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import {
  blocksRequested,
  selectBlocked,
  selectBlocksError,
  selectBlocksState,
  selectIsBlockChanging,
  unblockRequested,
} from '../../entities/blocks/slice.ts';
import { useBlockTranslations } from '../../entities/blocks/translations.ts';
import { Failure } from '../../shared/ui/Message.tsx';
import { Pending } from '../../shared/ui/Pending.tsx';
import { Section } from '../../shared/ui/Section.tsx';
import { useFocusFallback } from '../../shared/ui/use-focus-fallback.ts';
import classes from './Blocks.module.css';

/** The users whom the person has blocked, with buttons to unblock them. */
export function BlockedPeople() {
  const t = useBlockTranslations();
  const dispatch = useDispatch();
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const blocked = useSelector(selectBlocked);
  const state = useSelector(selectBlocksState);
  const error = useSelector(selectBlocksError);
  const changing = useSelector(selectIsBlockChanging);
  useEffect(() => {
    dispatch(blocksRequested());
  }, [dispatch]);
  return (
    <Section titleId="blocks-title" title={t('title')}>
      <div {...focusFallback}>
        {state === 'failed' && <Failure onRetry={() => dispatch(blocksRequested())}>{error}</Failure>}
        {(state === 'idle' || state === 'loading') && (
          <Pending>
            <Skeleton height={24} />
          </Pending>
        )}
        {state === 'ready' && <Text>{t(blocked.length > 0 ? 'lead' : 'none')}</Text>}
        {blocked.length > 0 && (
          <ul className={classes.people}>
            {blocked.map((user) => (
              <li key={user.id}>
                <Link to={`/users/${user.id}`}>{user.username}</Link>
                <Button
                  variant="default"
                  disabled={changing}
                  aria-label={t('unblockName', { username: user.username })}
                  onClick={() => dispatch(unblockRequested(user))}
                >
                  {t('unblock')}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}
