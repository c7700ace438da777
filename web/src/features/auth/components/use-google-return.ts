import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { useLocation, useNavigate } from 'react-router-dom';
import { loginCodeReceived } from '../../../entities/auth/slice.ts';
import { rememberedPlace } from '../../../shared/lib/arrival.ts';

const problems: Record<string, string> = {
  'google-not-set-up': 'Google sign-in is not set up here. Please use a username and password.',
  'google-failed': 'The sign-in with Google did not work. Please try again, or use a username and password.',
};

/** Reads what a visit to Google left in the address: a code, swapped for a session, or a problem, told in a sentence. */
export function useGoogleReturn(): string | undefined {
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const { hash } = useLocation();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const fragment = new URLSearchParams(hash.slice(1));
    const code = fragment.get('code');
    const reason = fragment.get('problem');
    if (reason) setProblem(problems[reason] ?? problems['google-failed']);
    if (code) dispatch(loginCodeReceived(code));
    if (code || reason) navigate('/login', { replace: true, state: rememberedPlace() });
  }, [hash, dispatch, navigate]);
  return problem;
}
