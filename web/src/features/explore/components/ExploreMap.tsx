import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { Button } from '@mantine/core';
import { useCallbackRef, useMediaQuery } from '@mantine/hooks';
import { IconCurrentLocation } from '@tabler/icons-react';
import type { Challenge, Place, Position, WebSettings } from '@wayquest/contracts';
import { Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { selectAuthStatus } from '../../../entities/auth/slice.ts';
import { lazyComponent, lazyOptional, whenIdle } from '../../../shared/lib/lazy-loading.ts';
import { loadPart } from '../../../shared/lib/load-part.ts';
import { dismissed, noticed } from '../../../shared/notice/notice-slice.ts';
import { useNearMe } from '../../../shared/ui/use-position.ts';
import { noFilters, startAt, useExploreAddress, type Filters as Wanted } from '../address.ts';
import { isNothingNear, useAreaSearch, useNearbyPlaces } from '../area-search.ts';
import { boxAt, containsBox } from '../map/boxes.ts';
import type { MapKit, MapWindow, Pin, View, ViewportTarget } from '../map/map.ts';
import { usePins } from '../pins.ts';
import { selectCreated, selectSearchResult } from '../slice.ts';
import { useTranslations } from '../translations.ts';
import { isAt, type Selection, useSelection } from '../use-selection.ts';
import classes from './ExploreMap.module.css';
import { Filters, PlaceTypeSelect } from './Filters.tsx';
import { PlaceList, ResultCount, ResultList } from './ResultList.tsx';
import { SearchBox } from './SearchBox.tsx';
import { Sheet, useSnapPoint } from './Sheet.tsx';

const Legend = lazyOptional(async () => (await import('./Legend.tsx')).Legend);

/** Wide screens never load it. */
const FilterSheet = lazyOptional(async () => (await import('./FilterSheet.tsx')).FilterSheet);

const loadWindow = () => import('./SelectedWindow.tsx');
const SelectedWindow = lazyComponent(loadWindow);

/**
 * On wide screens the list covers a part of the map; on a phone a sheet at its foot contains the list and the windows.
 */
const besideQuery = '(min-width: 48.0625em)';
const besideWidth = 352;

/** Close enough to show the streets around a position. */
const closeZoom = 15;

const keyOf = (selection: Selection) =>
  selection.kind === 'challenge'
    ? `challenge:${selection.challenge.id}`
    : `${selection.kind}:${selection.position.lat},${selection.position.lng}`;

/** The map with its pins, list and controls. */
export function ExploreMap({
  kit: { Map: MapView, finder },
  settings,
  known,
}: {
  kit: MapKit;
  settings: WebSettings;
  /** The person's position, if their browser may share it already. */
  known: Position | null | undefined;
}) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { pathname, search: query } = useLocation();
  const start = useMemo(() => (known ? startAt(known) : settings.start), [known, settings]);
  const { address, change, isHere } = useExploreAddress(start);
  const [located, setLocated] = useState<Position>();
  const position = located ?? known ?? null;
  /** The place that the person searched for, until they want to be shown where they are. */
  const [found, setFound] = useState<Place>();
  const from = found?.position ?? position;
  const [target, setTarget] = useState<ViewportTarget>(() => ({
    center: address.center,
    zoom: address.zoom,
  }));
  /** Whether the map is still moving to its target. */
  const isMoving = useRef(false);
  const visitor = useSelector(selectAuthStatus) === 'visitor';
  // A visitor has joined nothing, even if the URL filters by it.
  const mapRef = useRef<HTMLElement>(null);
  const area = useAreaSearch({ ...address.filters, joined: address.filters.joined && !visitor }, from);
  const { view } = area;
  const places = useNearbyPlaces(finder, address.placeType, area.searchedCenter);
  const { selection, openChallenge, openPlace, openSpot, close } = useSelection(address, change);
  const { pins, expansionZoom } = usePins(view, places, selection);
  const created = useSelector(selectCreated);

  // Preloaded, so that it works offline later.
  useEffect(() => {
    void whenIdle().then(() => loadPart(loadWindow, true));
  }, []);

  const resultsRef = useRef<HTMLElement>(null);
  const handleRef = useRef<HTMLButtonElement>(null);
  const beside = useMediaQuery(besideQuery, true, { getInitialValueInEffect: false });

  const moveTo = (next: ViewportTarget) => {
    isMoving.current = true;
    setTarget(next);
  };
  // 'Explore' in the navigation, pressed here, resets the map.
  const isMapReady = view !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the query is removed
  useEffect(() => {
    if (isMapReady && isHere && query === '') moveTo({ center: address.center, zoom: address.zoom });
  }, [query]);

  const chosen = selection && keyOf(selection);
  // Or still loading.
  const hasWindow = address.challengeId !== null || address.spot !== null;
  const nothingNear = useSelector((state: Parameters<typeof selectSearchResult>[0]) =>
    isNothingNear(selectSearchResult(state), position),
  );
  const [snapPoint, setSnapPoint] = useSnapPoint(chosen, hasWindow, nothingNear);
  // In the middle of the map it is above the sheet; a window over the map brings itself into sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that is chosen
  useEffect(() => {
    if (selection && view && !beside && !isMoving.current) {
      moveTo({ center: selection.position, zoom: view.zoom });
    }
  }, [chosen, isMapReady, beside]);

  // A loading window covers the list on a phone, which loses the focus before the window can take it. The focus returns
  // before the browser renders: a later effect could run after `restoreFocus` has moved it to another element.
  const opener = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    const isPlace = activeElement instanceof HTMLElement && activeElement !== body;
    if (!chosen) {
      // In the field, the focus would open the keyboard of a phone.
      const target = !beside && opener.current?.matches('input') ? handleRef.current : opener.current;
      if (!isPlace) target?.focus({ preventScroll: true });
    } else if (isPlace && !activeElement.closest('[role="dialog"]')) opener.current = activeElement;
  }, [chosen, beside]);

  const nearMe = useNearMe((center) => {
    setLocated(center);
    setFound(undefined);
    moveTo({ center, zoom: closeZoom });
  });
  const { failure } = nearMe;
  useEffect(() => {
    if (!failure) return;
    dispatch(noticed({ text: t(failure === 'denied' ? 'positionDenied' : 'positionFailed'), tone: 'bad' }));
    // Cleared when the page is left.
    return () => {
      dispatch(dismissed());
    };
  }, [dispatch, t, failure]);
  const onView = (next: View) => {
    isMoving.current = false;
    area.onView(next);
    change({ center: next.center, zoom: next.zoom });
  };
  const onPin = (pin: Pin) => {
    const [pinKind, id = ''] = pin.id.split(/:(.*)/s);
    const place = places.find((one) => one.id === id);
    if (pinKind === 'challenge') openChallenge(Number(id));
    else if (pinKind === 'place' && place) openPlace(place);
    else if (pin.box) moveTo({ box: pin.box });
    else if (pinKind === 'cluster') moveTo({ center: pin.position, zoom: expansionZoom(pin) });
  };
  const onFound = (place: Place) => {
    setFound(place);
    moveTo({ center: place.position, zoom: closeZoom });
    if (place.type) openPlace(place);
    else openSpot(place.position);
  };
  const onChoose = useCallbackRef(({ id, position }: Challenge) => {
    const inSight = view && position && containsBox(view.box, boxAt(position));
    if (position && !inSight) moveTo({ center: position, zoom: Math.max(view?.zoom ?? 0, closeZoom) });
    openChallenge(id);
    if (beside) mapRef.current?.scrollIntoView({ block: 'nearest' });
  });
  const onRetry = useCallbackRef(area.search);
  const onCreated = useCallback(() => {
    if (created) openChallenge(created.id);
  }, [created, openChallenge]);

  /** Its window is small, since the challenges there are what was searched for. */
  const foundTown =
    found && selection?.kind === 'spot' && isAt(found, selection.position) ? found : undefined;
  const windowContent = selection && (
    <Suspense key={chosen} fallback={null}>
      <SelectedWindow
        selection={selection}
        finder={finder}
        foundName={foundTown?.name}
        returnPath={pathname + query}
        onCenter={() => moveTo({ center: selection.position, zoom: view?.zoom ?? closeZoom })}
        onClose={close}
        onCreated={onCreated}
      />
    </Suspense>
  );
  const window: MapWindow | null =
    selection && beside
      ? { key: keyOf(selection), position: selection.position, content: windowContent }
      : null;

  const filters = (
    <>
      <PlaceTypeSelect type={address.placeType} onChange={(placeType) => change({ placeType })} />
      <Filters
        filters={address.filters}
        onChange={(part: Partial<Wanted>) => change({ filters: { ...address.filters, ...part } })}
      />
    </>
  );
  const nearMeButton = (
    <Button
      className={classes.near ?? ''}
      variant="default"
      leftSection={<IconCurrentLocation size={beside ? 18 : 22} aria-hidden />}
      loading={nearMe.isRequesting}
      onClick={nearMe.request}
    >
      {t('nearMe')}
    </Button>
  );
  const count = (
    <ResultCount
      from={position}
      onClear={() => change({ filters: noFilters })}
      {...(!beside && { onRetry })}
    />
  );
  const results = (
    <section
      ref={resultsRef}
      className={classes.results}
      aria-label={t('inArea')}
      tabIndex={-1}
      hidden={!beside && selection !== null && !foundTown}
    >
      {!beside && <PlaceList places={places} onChoose={openPlace} />}
      <ResultList
        position={position}
        found={found ?? null}
        onChoose={onChoose}
        {...(beside && { onRetry })}
      />
    </section>
  );
  return (
    <div className={classes.stage}>
      <div className={classes.side}>
        <section className={classes.controls} aria-label={t('shown')}>
          <SearchBox finder={finder} near={address.center} wide={!beside} onFound={onFound} />
          {beside && nearMeButton}
          {beside ? (
            <div className={classes.fields}>{filters}</div>
          ) : (
            <Suspense fallback={null}>
              <FilterSheet values={[address.placeType, ...Object.values(address.filters)]}>
                {filters}
              </FilterSheet>
            </Suspense>
          )}
          {beside && count}
        </section>
        {beside && (
          <Button className={classes.skip ?? ''} onClick={() => mapRef.current?.focus()}>
            {t('skipToMap')}
          </Button>
        )}
        {beside && results}
      </div>
      <section
        ref={mapRef}
        className={classes.map}
        aria-label={t('map')}
        tabIndex={-1}
        onFocus={({ target }) => {
          // A focused element must not be covered.
          if (target.matches(':focus-visible')) setSnapPoint('peek');
        }}
      >
        <MapView
          settings={settings}
          target={target}
          pins={pins}
          window={window}
          coveredWidth={beside ? besideWidth : 0}
          onPin={onPin}
          onClick={openSpot}
          onView={onView}
        />
        {!beside && nearMeButton}
        <Suspense fallback={null}>
          <Legend pins={pins} />
        </Suspense>
      </section>
      {!beside && (
        <Sheet snapPoint={snapPoint} onSnap={setSnapPoint} handle={handleRef} head={!hasWindow && count}>
          {results}
          {windowContent}
        </Sheet>
      )}
    </div>
  );
}
