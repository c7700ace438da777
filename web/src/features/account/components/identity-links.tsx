import { Button, Text } from '@mantine/core';
import type { Account } from '@wayquest/contracts';
import { useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation, useNavigate } from 'react-router-dom';
import { type Mutation, useMutation } from '../../../shared/lib/use-mutation.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { noticed } from '../../../shared/notice/notice-slice.ts';
import { Section } from '../../../shared/ui/Section.tsx';
import { selectAccount, sessionsRequested } from '../slice.ts';
import { useTranslations } from '../translations.ts';
import { type OwnershipProof, ReauthenticationDialog } from './ReauthenticationDialog.tsx';

/** Where an account can be linked to. */
interface Site {
  name: 'google' | 'openid';
  /** The name of the code in the address. */
  codeName: 'link' | 'openid-link';
  linking: Mutation<{ body: OwnershipProof }, { location: string }>;
  finishing: Mutation<{ body: { code: string } }, undefined>;
  unlinking: Mutation<{ body: OwnershipProof }, undefined>;
  texts: Record<'title' | 'linkDone' | 'linkFailed' | 'unlinkDone', string> &
    Record<'linked' | 'notLinked', Record<'state' | 'action' | 'question' | 'description', string>>;
}

/** Links the account of a code in the URL, and shows the result. */
function useReturn({ name, codeName, finishing, texts }: Site): void {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const { hash } = useLocation();
  const { error, send } = finishing;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a code is good once
  useEffect(() => {
    const fragment = new URLSearchParams(hash.slice(1));
    const code = fragment.get(codeName);
    if (!code && fragment.get('problem') !== `${name}-failed`) return;
    navigate(`#${name}-title`, { replace: true });
    if (!code) {
      dispatch(noticed({ text: texts.linkFailed, tone: 'bad' }));
      return;
    }
    send({ body: { code } }, () => {
      dispatch(noticed({ text: texts.linkDone, tone: 'good' }));
      dispatch(sessionsRequested());
    });
  }, [hash]);
  useEffect(() => {
    if (error) dispatch(noticed({ text: error, tone: 'bad' }));
  }, [error, dispatch]);
}

interface IdentityLinkProps {
  username: string;
  status: NonNullable<Account['google']>;
  site: Site;
}

/** Links or unlinks an account of another site. */
function IdentityLink({ username, status, site }: IdentityLinkProps) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const dialog = useRef<HTMLDialogElement>(null);
  useReturn(site);
  if (status === 'not-configured') return null;

  const { name, linking, unlinking, texts } = site;
  const isLinked = status === 'linked';
  const { state, action, question, description } = texts[isLinked ? 'linked' : 'notLinked'];
  const unlinked = () => {
    dialog.current?.close();
    dispatch(noticed({ text: texts.unlinkDone, tone: 'good' }));
    dispatch(sessionsRequested());
  };
  return (
    <Section titleId={`${name}-title`} title={texts.title}>
      <Text mb={16}>{state}</Text>
      <Button variant="default" mb={8} onClick={() => dialog.current?.showModal()}>
        {action}
      </Button>
      <ReauthenticationDialog
        ref={dialog}
        title={question}
        confirmLabel={action}
        cancelLabel={t('notNow')}
        username={username}
        harmless={!isLinked}
        status={isLinked ? unlinking : linking}
        onConfirm={(body) =>
          isLinked
            ? unlinking.send({ body }, unlinked)
            : linking.send({ body }, ({ location }) => window.location.assign(location))
        }
      >
        <p>{description}</p>
      </ReauthenticationDialog>
    </Section>
  );
}

/** Links or unlinks a Google account. */
export function GoogleLink({ username }: { username: string }) {
  const t = useTranslations();
  const { google = 'not-configured' } = useSelector(selectAccount) ?? {};
  const site: Site = {
    name: 'google',
    codeName: 'link',
    linking: useMutation('startGoogleLink'),
    finishing: useMutation('finishGoogleLink'),
    unlinking: useMutation('unlinkGoogle'),
    texts: {
      title: t('googleTitle'),
      linkDone: t('googleLinkDone'),
      linkFailed: t('googleLinkFailed'),
      unlinkDone: t('googleUnlinkDone'),
      linked: {
        state: t('googleLinked'),
        action: t('unlinkGoogle'),
        question: t('unlinkQuestion'),
        description: t('unlinkDescription'),
      },
      notLinked: {
        state: t('googleNotLinked'),
        action: t('linkGoogle'),
        question: t('linkQuestion'),
        description: t('linkDescription'),
      },
    },
  };
  return <IdentityLink username={username} status={google} site={site} />;
}

/** Links or unlinks an account of the OpenID Connect provider. */
export function OpenIdLink({ username }: { username: string }) {
  const t = useTranslations();
  const { openId = 'not-configured' } = useSelector(selectAccount) ?? {};
  const { data } = useResource('getRegistration', openId === 'not-configured' ? null : {});
  const name = data?.openId?.name ?? t('singleSignOn');
  const site: Site = {
    name: 'openid',
    codeName: 'openid-link',
    linking: useMutation('startOpenIdLink'),
    finishing: useMutation('finishOpenIdLink'),
    unlinking: useMutation('unlinkOpenId'),
    texts: {
      title: t('openIdTitle'),
      linkDone: t('openIdLinkDone'),
      linkFailed: t('openIdLinkFailed'),
      unlinkDone: t('openIdUnlinkDone'),
      linked: {
        state: t('openIdLinked', { name }),
        action: t('unlinkOpenId', { name }),
        question: t('unlinkOpenIdQuestion', { name }),
        description: t('unlinkOpenIdDescription', { name }),
      },
      notLinked: {
        state: t('openIdNotLinked', { name }),
        action: t('linkOpenId', { name }),
        question: t('linkOpenIdQuestion', { name }),
        description: t('linkOpenIdDescription'),
      },
    },
  };
  return <IdentityLink username={username} status={openId} site={site} />;
}
