import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Navigator } from '../../shared/lib/navigator.ts';

/** Gives the sagas the router's way to another page. */
export function SagaNavigation({ navigator }: { navigator: Navigator }) {
  const navigate = useNavigate();
  useEffect(() => navigator.attach((to) => void navigate(to)), [navigator, navigate]);
  return null;
}
