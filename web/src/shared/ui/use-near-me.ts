import type { Position } from '@wayquest/contracts';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { noticed } from '../notice/notice-slice.ts';
import { sayCommon as say } from '../words/common.ts';

const patience = { timeout: 10_000, maximumAge: 60_000 };

/** Asks the browser where the person is, when they press for it and never before. */
export function useNearMe(onFound: (position: Position) => void) {
  const dispatch = useDispatch();
  const [asking, setAsking] = useState(false);
  const ask = () => {
    setAsking(true);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setAsking(false);
        onFound({ lat: coords.latitude, lng: coords.longitude });
      },
      ({ code, PERMISSION_DENIED }) => {
        setAsking(false);
        const text = say(code === PERMISSION_DENIED ? 'positionDenied' : 'positionFailed');
        dispatch(noticed({ text, tone: 'bad' }));
      },
      patience,
    );
  };
  return { ask, asking };
}
