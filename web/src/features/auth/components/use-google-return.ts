import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { useLocation, useNavigate } from 'react-router-dom';
import { loginCodeReceived } from '../../../entities/auth/slice.ts';
import { rememberedPlace } from '../return-to-memory.ts';
import { useTranslations } from '../translations.ts';

/** Handles the URL after Google sign-in: exchanges its code for a session, or returns a problem as a sentence. */
export function useGoogleReturn(): string | undefined {
  const t = useTranslations();
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const { hash } = useLocation();
  const [problem, setProblem] = useState<'googleNotSetUp' | 'googleFailed'>();
  useEffect(() => {
    const fragment = new URLSearchParams(hash.slice(1));
    const code = fragment.get('code');
    const reason = fragment.get('problem');
    if (reason) setProblem(reason === 'google-not-set-up' ? 'googleNotSetUp' : 'googleFailed');
    if (code) dispatch(loginCodeReceived({ code, isNew: fragment.has('new') }));
    if (code || reason) navigate('/login', { replace: true, state: rememberedPlace() });
  }, [hash, dispatch, navigate]);
  return problem && t(problem);
}
