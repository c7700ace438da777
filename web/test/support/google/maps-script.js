/**
 * A fake of Google's script, since tests must not call Google. It implements the part of the public reference
 * (https://developers.google.com/maps/documentation/javascript/reference) that a map with markers and places needs, and
 * throws for everything else. `fakeGoogle` records the requests, and contains the failures to simulate.
 */
(() => {
  const source = globalThis.document?.currentScript?.src;

  /** Creates an object that throws if a missing member is read. Promises read `then` of every value. */
  const strict = (target, name) =>
    new Proxy(target, {
      get(object, member, receiver) {
        if (typeof member === 'string' && member !== 'then' && !(member in object)) {
          throw new TypeError(`${name}.${member} is not in the reference`);
        }
        return Reflect.get(object, member, receiver);
      },
    });

  /** Wraps a class so that its instances are strict. */
  const strictClass = (Class, name) =>
    new Proxy(Class, { construct: (target, value) => strict(Reflect.construct(target, value), name) });

  const checkKeys = (value, allowedKeys, typeName) => {
    for (const key of Object.keys(value ?? {})) {
      if (!allowedKeys.includes(key)) throw new TypeError(`${key} is not in the reference of ${typeName}`);
    }
    return value ?? {};
  };

  const defer = (run) => setTimeout(run, 0);

  // ---- Coordinates

  const normalizeLng = (lng) => (lng >= -180 && lng <= 180 ? lng : ((((lng + 180) % 360) + 360) % 360) - 180);

  class LatLng {
    #lat;
    #lng;
    constructor(lat, lng) {
      const literal = lat instanceof LatLng ? lat.toJSON() : lat;
      const value =
        typeof literal === 'object' ? checkKeys(literal, ['lat', 'lng'], 'LatLngLiteral') : { lat, lng };
      if (!Number.isFinite(value.lat) || !Number.isFinite(value.lng)) {
        throw new TypeError('not a LatLng or LatLngLiteral');
      }
      this.#lat = Math.max(-90, Math.min(90, value.lat));
      this.#lng = normalizeLng(value.lng);
    }
    lat() {
      return this.#lat;
    }
    lng() {
      return this.#lng;
    }
    toJSON() {
      return { lat: this.#lat, lng: this.#lng };
    }
    toString() {
      return `(${this.#lat}, ${this.#lng})`;
    }
  }

  class LatLngBounds {
    #box;
    constructor({ west, south, east, north }) {
      this.#box = { west, south, east, north };
    }
    toJSON() {
      return this.#box;
    }
  }

  class Point {
    constructor(x, y) {
      this.x = x;
      this.y = y;
    }
  }

  const project = (at, zoom) => {
    const { lat, lng } = new LatLng(at).toJSON();
    const size = 256 * 2 ** zoom;
    const sine = Math.max(-0.9999, Math.min(0.9999, Math.sin((lat * Math.PI) / 180)));
    return {
      x: (lng / 360 + 0.5) * size,
      y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size,
    };
  };

  const unproject = ({ x, y }, zoom) => {
    const size = 256 * 2 ** zoom;
    const lat = (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / size))) * 180) / Math.PI;
    return new LatLng(lat, (x / size - 0.5) * 360);
  };

  const distanceInMeters = (one, other) => {
    const [a, b] = [one, other].map(({ lat, lng }) => ({
      lat: (lat * Math.PI) / 180,
      lng: (lng * Math.PI) / 180,
    }));
    const half = (from, to) => Math.sin((to - from) / 2) ** 2;
    const chord = half(a.lat, b.lat) + Math.cos(a.lat) * Math.cos(b.lat) * half(a.lng, b.lng);
    return 2 * 6_371_000 * Math.asin(Math.sqrt(chord));
  };

  // ---- Events

  class MVCObject {
    constructor(events) {
      this.listeners = [];
      this.events = events;
    }
    fire(event, ...args) {
      for (const listener of [...this.listeners]) if (listener.event === event) listener.callback(...args);
    }
  }

  const event = {
    addListener(instance, name, callback) {
      if (!instance.events.includes(name)) throw new TypeError(`${name} is not an event of it`);
      if (typeof callback !== 'function') throw new TypeError('a listener is a function');
      const listener = { event: name, callback };
      instance.listeners.push(listener);
      listener.remove = () => {
        instance.listeners = instance.listeners.filter((other) => other !== listener);
      };
      return listener;
    },
    removeListener: (listener) => listener.remove(),
  };

  // ---- The map and its markers

  const addElement = (parent, ...classes) => {
    const element = document.createElement('div');
    element.className = classes.join(' ');
    parent.append(element);
    return element;
  };

  const mapOptions = [
    'clickableIcons',
    'colorScheme',
    'fullscreenControl',
    'gestureHandling',
    'mapTypeControl',
    'maxZoom',
    'minZoom',
    'streetViewControl',
  ];
  const mapEvents = ['click', 'idle', 'bounds_changed', 'center_changed', 'zoom_changed', 'dragend'];
  const keys = { ArrowLeft: [-80, 0], ArrowRight: [80, 0], ArrowUp: [0, -80], ArrowDown: [0, 80] };

  class GoogleMap extends MVCObject {
    constructor(div, options) {
      super(mapEvents);
      if (!(div instanceof HTMLElement)) throw new TypeError('Map: Expected mapDiv of type HTMLElement');
      this.div = div;
      this.options = { ...checkKeys(options, mapOptions, 'MapOptions') };
      this.overlays = new Set();
      this.center = undefined;
      this.zoom = undefined;
      this.idleTimer = undefined;
      div.replaceChildren();
      div.style.position = 'relative';
      div.style.overflow = 'hidden';
      this.surface = addElement(div, 'fake-google');
      Object.assign(this.surface.style, { position: 'absolute', inset: '0', background: '#e8e4d8' });
      this.surface.tabIndex = 0;
      this.surface.setAttribute('role', 'region');
      this.surface.setAttribute('aria-label', 'Map');
      this.surface.addEventListener('click', (domEvent) => {
        this.fire('click', { latLng: this.at(domEvent), domEvent, stop() {} });
      });
      this.surface.addEventListener('keydown', ({ key }) => {
        if (keys[key]) this.panBy(...keys[key]);
      });
      this.panes = {};
      for (const [index, name] of ['markerLayer', 'overlayMouseTarget', 'floatPane'].entries()) {
        this.panes[name] = addElement(this.surface);
        Object.assign(this.panes[name].style, {
          position: 'absolute',
          inset: '0 auto auto 0',
          zIndex: `${index}`,
        });
      }
      fake.maps.push({ options: this.options });
      if (fake.rejectsKey) defer(() => window.gm_authFailure?.());
    }
    /** Not in the reference: the position of a click. */
    at({ clientX, clientY }) {
      const { left, top } = this.div.getBoundingClientRect();
      const corner = this.corner();
      return unproject({ x: corner.x + clientX - left, y: corner.y + clientY - top }, this.zoom);
    }
    /** Not in the reference: the upper left corner in pixels of the world. */
    corner() {
      const { width, height } = this.div.getBoundingClientRect();
      const { x, y } = project(this.center, this.zoom);
      return { x: x - width / 2, y: y - height / 2 };
    }
    /** Not in the reference: renders the map, and emits `idle`. */
    update() {
      if (!this.center || this.zoom === undefined) return;
      for (const overlay of this.overlays) overlay.draw();
      clearTimeout(this.idleTimer);
      this.idleTimer = defer(() => this.fire('idle'));
    }
    getDiv() {
      return this.div;
    }
    getCenter() {
      return this.center && new LatLng(this.center);
    }
    getZoom() {
      return this.zoom;
    }
    getBounds() {
      if (!this.center || this.zoom === undefined) return undefined;
      const { width, height } = this.div.getBoundingClientRect();
      const { x, y } = this.corner();
      const from = unproject({ x, y: y + height }, this.zoom);
      const to = unproject({ x: x + width, y }, this.zoom);
      return new LatLngBounds({ west: from.lng(), south: from.lat(), east: to.lng(), north: to.lat() });
    }
    setOptions(options) {
      Object.assign(this.options, checkKeys(options, mapOptions, 'MapOptions'));
    }
    moveCamera(camera) {
      const { center, zoom } = checkKeys(camera, ['center', 'heading', 'tilt', 'zoom'], 'CameraOptions');
      if (center) this.center = new LatLng(center).toJSON();
      if (zoom !== undefined) this.zoom = zoom;
      this.update();
    }
    fitBounds(bounds) {
      const { west, south, east, north } = checkKeys(
        bounds,
        ['west', 'south', 'east', 'north'],
        'LatLngBoundsLiteral',
      );
      const { width, height } = this.div.getBoundingClientRect();
      this.center = new LatLng((south + north) / 2, (west + (east < west ? east + 360 : east)) / 2).toJSON();
      const from = project({ lat: south, lng: west }, 0);
      const to = project({ lat: north, lng: east }, 0);
      const mapWidth = (to.x - from.x + 256) % 256 || 256;
      const zoom = Math.floor(Math.log2(Math.min(width / mapWidth, height / (from.y - to.y))));
      this.zoom = Math.max(this.options.minZoom ?? 0, Math.min(this.options.maxZoom ?? 22, zoom));
      this.update();
    }
    panBy(x, y) {
      const { x: left, y: top } = project(this.center, this.zoom);
      this.center = unproject({ x: left + x, y: top + y }, this.zoom).toJSON();
      this.update();
    }
  }

  const markerOptions = ['icon', 'label', 'map', 'optimized', 'position', 'title'];
  const labelOptions = ['className', 'color', 'fontFamily', 'fontSize', 'fontWeight', 'text'];

  class Marker extends MVCObject {
    constructor(options) {
      super(['click']);
      this.map = null;
      this.options = {};
      this.element = document.createElement('div');
      this.element.style.position = 'absolute';
      const click = (domEvent) => {
        domEvent.stopPropagation();
        this.fire('click', { latLng: new LatLng(this.options.position), domEvent, stop() {} });
      };
      this.element.addEventListener('click', click);
      this.element.addEventListener('keydown', (domEvent) => {
        if (domEvent.key === 'Enter' || domEvent.key === ' ') click(domEvent);
      });
      this.setOptions(options);
      this.setMap(options.map ?? null);
    }
    setOptions(options) {
      Object.assign(this.options, checkKeys(options, markerOptions, 'MarkerOptions'));
      this.draw();
    }
    setAnimation(animation) {
      if (animation) throw new TypeError('nothing moves here');
    }
    setIcon(icon) {
      checkKeys(icon, ['anchor', 'labelOrigin', 'origin', 'scaledSize', 'size', 'url'], 'Icon');
      this.setOptions({ icon });
    }
    setLabel(label) {
      if (label && typeof label.text !== 'string') throw new TypeError('a MarkerLabel has a text');
      checkKeys(label, labelOptions, 'MarkerLabel');
      this.setOptions({ label });
    }
    setPosition(position) {
      this.setOptions({ position: new LatLng(position).toJSON() });
    }
    setZIndex(zIndex) {
      this.element.style.zIndex = zIndex ?? '';
    }
    setTitle(title) {
      this.setOptions({ title });
    }
    setMap(map) {
      this.map?.overlays.delete(this);
      this.map = map;
      this.element.remove();
      if (!map) return;
      map.overlays.add(this);
      map.panes.overlayMouseTarget.append(this.element);
      this.draw();
    }
    /** Not in the reference. Optimized markers are painted together, without elements. */
    draw() {
      const { icon, label, optimized, position, title } = this.options;
      if (!this.map?.center || !position) return;
      const corner = this.map.corner();
      const { x, y } = project(position, this.map.zoom);
      const { x: left, y: top } = icon?.anchor ?? { x: 0, y: 0 };
      Object.assign(this.element.style, { left: `${x - corner.x - left}px`, top: `${y - corner.y - top}px` });
      if (optimized !== false) return;
      this.element.setAttribute('role', 'button');
      this.element.tabIndex = 0;
      if (title) {
        this.element.title = title;
        this.element.setAttribute('aria-label', title);
      }
      const picture = document.createElement('img');
      picture.alt = '';
      if (icon) picture.src = icon.url;
      this.element.replaceChildren(picture);
      if (label) addElement(this.element).textContent = label.text;
    }
  }

  class OverlayView extends MVCObject {
    constructor() {
      super([]);
      this.map = null;
    }
    static preventMapHitsAndGesturesFrom(element) {
      if (!(element instanceof Element)) throw new TypeError('not an element');
      for (const name of ['click', 'dblclick', 'pointerdown', 'mousedown', 'touchstart', 'wheel']) {
        element.addEventListener(name, (domEvent) => domEvent.stopPropagation());
      }
    }
    onAdd() {}
    draw() {}
    onRemove() {}
    setMap(map) {
      if (this.map) {
        this.map.overlays.delete(this);
        this.map = null;
        defer(() => this.onRemove());
      }
      if (!map) return;
      this.map = map;
      defer(() => {
        if (this.map !== map) return;
        map.overlays.add(this);
        this.onAdd();
        this.draw();
      });
    }
    getPanes() {
      return this.map?.panes ?? null;
    }
    getProjection() {
      const map = this.map;
      return strict(
        {
          fromLatLngToDivPixel(at) {
            const corner = map.corner();
            const { x, y } = project(at, map.zoom);
            return new Point(x - corner.x, y - corner.y);
          },
        },
        'MapCanvasProjection',
      );
    }
  }

  // ---- Geocoding and places

  class MapsRequestError extends Error {
    constructor(endpoint, code, reason) {
      super(`${endpoint}: ${code}: ${reason}`);
      this.name = 'MapsRequestError';
      this.endpoint = endpoint;
      this.code = code;
    }
  }

  const respond = async (endpoint, request, createResponse) => {
    fake.requests.push({ endpoint, request: structuredClone(request) });
    const code = fake.failures[endpoint];
    if (code) throw new MapsRequestError(endpoint, code, 'a test wants it so');
    return createResponse();
  };

  const componentsOf = ({ number, street, city, state, zip }) =>
    [
      [number, number, 'street_number'],
      [street, street, 'route'],
      [city, city, 'locality', 'political'],
      [...(state ?? []), 'administrative_area_level_1', 'political'],
      ['United States', 'US', 'country', 'political'],
      [zip, zip, 'postal_code'],
    ].flatMap(([long, short, ...types]) => (long ? [{ long, short, types }] : []));

  const formatAddress = ({ number, street, city, state, zip }) =>
    `${[number, street].filter(Boolean).join(' ')}, ${city}, ${state[1]} ${zip}, USA`;

  const checkCircle = (value) => {
    const { center, radius } = checkKeys(value, ['center', 'radius'], 'CircleLiteral');
    if (!(radius > 0 && radius <= 50_000)) throw new TypeError('a radius is at most 50000 metres');
    return { center: new LatLng(center).toJSON(), radius };
  };

  class Geocoder {
    geocode(request) {
      const { location } = checkKeys(request, ['location'], 'GeocoderRequest');
      const at = new LatLng(location);
      return respond('GEOCODER_GEOCODE', { location: at.toJSON() }, () => {
        const { number, street, city, state, zip } = fake.home;
        const known = { number, street, city, state, zip };
        const code = {
          address_components: [{ long_name: '87G8Q5CQ+XX', short_name: '87G8Q5CQ+XX', types: ['plus_code'] }],
          formatted_address: '87G8Q5CQ+XX',
          geometry: { location: at },
          place_id: 'stand-in-code',
          types: ['plus_code'],
        };
        const house = {
          address_components: componentsOf(known).map(({ long, short, types }) => ({
            long_name: long,
            short_name: short,
            types,
          })),
          formatted_address: formatAddress(known),
          geometry: { location: at },
          place_id: 'stand-in-house',
          types: ['street_address'],
        };
        return { results: fake.hasNoAddress ? [code] : [code, house] };
      });
    }
  }

  const fieldReaders = {
    displayName: ({ name }) => name,
    formattedAddress: (known) => formatAddress(known),
    addressComponents: (known) =>
      componentsOf(known).map(({ long, short, types }) => ({ longText: long, shortText: short, types })),
    location: ({ at }) => (at ? new LatLng(at) : null),
    types: ({ types }) => types,
    photos: ({ photos }) =>
      photos.map((uri) => ({
        authorAttributions: [{ displayName: 'Ana Ng', uri: null, photoURI: null }],
        widthPx: 1200,
        heightPx: 800,
        getURI(options) {
          checkKeys(options, ['maxHeight', 'maxWidth'], 'PhotoOptions');
          return uri;
        },
      })),
  };

  const withFields = (place, fields) => {
    const known = fake.places.find(({ id }) => id === place.id);
    for (const field of fields) {
      if (!(field in fieldReaders)) throw new TypeError(`${field} is not a field of Place`);
      place[field] = fieldReaders[field](known);
    }
    return place;
  };

  class Place {
    constructor(options) {
      this.id = checkKeys(options, ['id', 'requestedLanguage', 'requestedRegion'], 'PlaceOptions').id;
    }
    fetchFields(options) {
      const { fields } = checkKeys(options, ['fields'], 'FetchFieldsRequest');
      return respond('PLACES_GET_PLACE', { id: this.id, fields }, () => {
        if (!fake.places.some(({ id }) => id === this.id)) {
          throw new MapsRequestError('PLACES_GET_PLACE', 'INVALID_ARGUMENT', 'there is no such place');
        }
        return { place: withFields(this, fields) };
      });
    }
    static searchNearby(request) {
      const allowedKeys = [
        'fields',
        'includedTypes',
        'locationRestriction',
        'maxResultCount',
        'rankPreference',
      ];
      const { fields, includedTypes, locationRestriction, maxResultCount, rankPreference } = checkKeys(
        request,
        allowedKeys,
        'SearchNearbyRequest',
      );
      const { center, radius } = checkCircle(locationRestriction);
      if (!(maxResultCount >= 1 && maxResultCount <= 20))
        throw new TypeError('maxResultCount is from 1 to 20');
      if (rankPreference !== 'DISTANCE') throw new TypeError('this ranks by distance alone');
      const distanceTo = ({ at }) => (at ? distanceInMeters(at, center) : 0);
      return respond('PLACES_NEARBY_SEARCH', request, () => ({
        places: fake.places
          .filter(
            (place) =>
              place.types.some((type) => includedTypes.includes(type)) && distanceTo(place) <= radius,
          )
          .sort((one, other) => distanceTo(one) - distanceTo(other))
          .slice(0, maxResultCount)
          .map(({ id }) => withFields(new maps.places.Place({ id }), fields)),
      }));
    }
  }

  const AutocompleteSuggestion = {
    fetchAutocompleteSuggestions(request) {
      const { input, locationBias } = checkKeys(request, ['input', 'locationBias'], 'AutocompleteRequest');
      checkCircle(locationBias);
      return respond('PLACES_AUTOCOMPLETE', request, () => ({
        suggestions: fake.places
          .map((place) => ({ ...place, text: `${place.name}, ${formatAddress(place)}` }))
          .filter(({ text }) => text.toLowerCase().includes(input.toLowerCase()))
          .map(({ id, text, types }) => ({
            placePrediction: { placeId: id, text: { text, matches: [] }, types },
          })),
      }));
    },
  };

  const maps = {
    version: '3.0.0',
    event,
    LatLng,
    LatLngBounds,
    Point,
    Map: strictClass(GoogleMap, 'Map'),
    Marker: strictClass(Marker, 'Marker'),
    OverlayView: strictClass(OverlayView, 'OverlayView'),
    Geocoder,
    MapsRequestError,
    places: strict(
      {
        Place: strictClass(Place, 'Place'),
        AutocompleteSuggestion,
        SearchNearbyRankPreference: strict({ DISTANCE: 'DISTANCE', POPULARITY: 'POPULARITY' }, 'ranks'),
      },
      'google.maps.places',
    ),
    async importLibrary(name) {
      if (!['maps', 'marker', 'geocoding', 'places'].includes(name))
        throw new Error(`no library is called ${name}`);
      return name === 'places' ? maps.places : maps;
    },
  };

  const newYork = { city: 'Flushing', state: ['New York', 'NY'], zip: '11355' };

  const fake = {
    /** The query parameters of each request of the script. */
    loads: [],
    /** The options of each created map. */
    maps: [],
    /** The endpoint and the request of each lookup. */
    requests: [],
    /** The status with which an endpoint fails, as in `{ GEOCODER_GEOCODE: 'OVER_QUERY_LIMIT' }`. */
    failures: {},
    /** Whether no position has an address. */
    hasNoAddress: false,
    rejectsKey: false,
    /** The address of every position. */
    home: { ...newYork, number: '43-50', street: 'Main Street' },
    places: [
      {
        ...newYork,
        id: 'pond-park',
        name: 'Pond Park',
        types: ['park', 'tourist_attraction', 'point_of_interest'],
        number: '1',
        street: 'Water Lane',
        at: { lat: 40.772, lng: -73.84 },
        photos: ['https://lh3.googleusercontent.com/stand-in/pond-park'],
      },
      {
        ...newYork,
        id: 'hill-park',
        name: 'Hill Park',
        types: ['park', 'point_of_interest'],
        street: 'Hill Road',
        at: { lat: 40.75, lng: -73.8 },
        photos: [],
      },
      {
        ...newYork,
        id: 'lost-park',
        name: 'Lost Park',
        types: ['park'],
        street: 'Nowhere Road',
        at: null,
        photos: [],
      },
      {
        ...newYork,
        id: 'far-park',
        name: 'Far Park',
        types: ['park'],
        street: 'Distant Road',
        at: { lat: 42.5, lng: -73.8 },
        photos: [],
      },
      {
        ...newYork,
        id: 'reading-room',
        name: 'Reading Room',
        types: ['library', 'point_of_interest'],
        number: '7',
        street: 'Book Street',
        at: { lat: 40.758, lng: -73.829 },
        photos: [],
      },
    ],
    ...globalThis.fakeGoogle,
  };
  globalThis.fakeGoogle = fake;
  globalThis.google = { maps: strict(maps, 'google.maps') };

  if (!source) return;
  const { searchParams } = new URL(source);
  const { key, callback } = Object.fromEntries(searchParams);
  fake.loads.push(Object.fromEntries(searchParams));
  if (!key) throw new Error('MissingKeyMapError');
  defer(() => globalThis[callback]());
})();
