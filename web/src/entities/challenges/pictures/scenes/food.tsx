import {
  Awning,
  Bush,
  Cypress,
  Flower,
  Lamp,
  Oak,
  Panes,
  Path,
  Transform,
  type Variation,
} from '../parts.tsx';

export function restaurant({ form }: Variation) {
  const kind = form(3);
  if (kind === 1)
    return (
      <>
        <Oak x={42} y={158} s={0.8} />
        <Oak x={284} y={158} s={0.75} />
        <path fill="var(--trunk)" d="M-300 174h920v30h-920z" />
        <path fill="var(--glow)" opacity="0.35" d="M-300 174h920v6h-920z" />
        <Transform x={160} y={176} s={1.2}>
          <path fill="var(--light)" d="M-50-48h100c-2 30-20 44-36 44h-28c-16 0-34-14-36-44z" />
          <path fill="var(--accent)" d="M-48-40h96l-3 9h-90z" />
          <path fill="var(--dark)" d="M-20-4h40v6h-40z" />
          <path fill="var(--glow)" d="M-44-48c6-10 22-8 26-4 6-8 22-8 28 0 8-6 28-4 34 4z" />
          <circle cx="22" cy="-52" r="9" fill="var(--light)" />
          <circle cx="22" cy="-52" r="4.5" fill="var(--glow)" />
          <path fill="var(--tree)" d="M-22-50c-6-8-2-16 6-16 4 8 2 14-6 16z" />
          <path d="M38-50L70-96M28-52L54-100" stroke="var(--roof)" strokeWidth="4.5" strokeLinecap="round" />
          <path
            d="M-30-64c-6-8 6-12 0-20m18 18c-6-8 6-12 0-20m18 18c-6-8 6-12 0-20"
            fill="none"
            stroke="var(--light)"
            opacity="0.8"
            strokeWidth="4.5"
            strokeLinecap="round"
          />
        </Transform>
      </>
    );
  if (kind === 2)
    return (
      <>
        <Cypress x={40} y={160} s={0.75} />
        <Cypress x={284} y={160} s={0.65} />
        <path d="M30 46q130 46 260 0" fill="none" stroke="var(--dark)" strokeWidth="2.5" />
        <g fill="var(--glow)">
          {[
            [64, 58],
            [104, 68],
            [144, 73],
            [184, 72],
            [224, 66],
            [260, 56],
          ].map(([x, y]) => (
            <circle key={x} cx={x} cy={y} r="6" />
          ))}
        </g>
        <Transform x={160} y={184} s={1.15}>
          <path d="M0 0v-40M-18 0h36" stroke="var(--dark)" strokeWidth="5" strokeLinecap="round" />
          <path fill="var(--light)" d="M-62-52h124l4 12h-132z" />
          <path
            fill="var(--accent)"
            d="M-62-40l10 20 12-20 12 20 14-20 14 20 14-20 12 20 12-20 12 20 10-20z"
            opacity="0.9"
          />
          <path fill="var(--velvet)" d="M-14-74l2-14h4v-12h8v12h4l2 14v22h-20z" />
          <path fill="var(--light)" d="M-10-72h12v10h-12zM24-52v-14c-8-2-10-8-10-18h24c0 10-2 16-10 18v14z" />
          <path fill="var(--velvet)" d="M16-78h20c-1 6-4 9-10 9s-9-3-10-9z" />
          <path fill="var(--glow)" d="M-50-54c0-12 8-18 16-18s16 6 16 18z" />
          <circle cx="-34" cy="-74" r="3.5" fill="var(--dark)" />
          <path d="M-54-54h40" stroke="var(--stone)" strokeWidth="4" strokeLinecap="round" />
        </Transform>
        {[
          [66, 1],
          [254, -1],
        ].map(([x = 0, way = 1]) => (
          <path
            key={x}
            d={`M${x} 184v-30h${28 * way}v30M${x} 154v-34`}
            fill="none"
            stroke="var(--roof)"
            strokeWidth="6"
            strokeLinecap="round"
          />
        ))}
      </>
    );
  return (
    <>
      <path fill="var(--wall)" d="M82 62h156v104H82z" />
      <path fill="var(--roof)" d="M72 52h176v14H72z" />
      <path fill="var(--light)" d="M94 108h78v44H94z" />
      <path fill="var(--pane)" d="M98 112h70v36H98z" />
      <Awning x={80} y={78} stripes={10} />
      <path fill="var(--dark)" d="M188 166v-52h36v52z" />
      <path fill="var(--pane)" d="M194 120h24v22h-24z" />
      <path
        d="M122 142v-12m-6-10v10h12v-10m-6 0v12m24 10v-12c-6-4-6-12 0-14z"
        fill="none"
        stroke="var(--light)"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <path fill="var(--stone)" d="M64 164h192v9H64z" />
      <Transform x={52} y={180} s={0.95}>
        <path d="M0 0v-26M-12 0h24" stroke="var(--dark)" strokeWidth="4" strokeLinecap="round" />
        <path fill="var(--light)" d="M-24-32h48v8h-48z" />
      </Transform>
      <Bush x={270} y={172} s={0.8} />
    </>
  );
}

export function cafe({ form }: Variation) {
  const kind = form(3);
  if (kind === 1)
    return (
      <>
        <Cypress x={38} y={158} s={0.7} />
        <Oak x={286} y={158} s={0.7} />
        <path fill="var(--trunk)" d="M-300 174h920v30h-920z" />
        <Transform x={154} y={174} s={1.25}>
          <ellipse cx="2" cy="0" rx="62" ry="9" fill="var(--stone)" />
          <path d="M38-46c26-6 28 26-2 28" fill="none" stroke="var(--light)" strokeWidth="8" />
          <path fill="var(--light)" d="M-42-58h84c0 36-12 56-42 56s-42-20-42-56z" />
          <ellipse cy="-58" rx="42" ry="9" fill="var(--shade)" />
          <ellipse cy="-57" rx="36" ry="6.5" fill="var(--trunk)" />
          <path fill="var(--rose)" d="M-2-18c-14-10-16-22-8-26 4-1 7 2 8 5 1-3 4-6 8-5 8 4 6 16-8 26z" />
          <path
            d="M-18-72c-8-10 8-14 0-26m18 24c-8-10 8-14 0-26m18 28c-8-10 8-14 0-26"
            fill="none"
            stroke="var(--light)"
            opacity="0.8"
            strokeWidth="5"
            strokeLinecap="round"
          />
        </Transform>
      </>
    );
  if (kind === 2)
    return (
      <>
        <Oak x={36} y={158} s={0.8} />
        <path fill="var(--path)" d="M-300 176h920v30h-920z" opacity="0.8" />
        <Transform x={182} y={190} s={1.2}>
          <path d="M0-2v-110" stroke="var(--dark)" strokeWidth="5" strokeLinecap="round" />
          <path fill="var(--accent)" d="M-74-82C-60-108-30-122 0-122s60 14 74 40z" />
          <path fill="var(--light)" d="M-38-82C-32-104-18-120 0-122c18 2 32 18 38 40z" />
          <path fill="var(--accent)" d="M-14-82c1-18 6-36 14-40 8 4 13 22 14 40z" />
          <path fill="var(--light)" d="M-36-38h72v7h-72z" />
          <path
            d="M-22 0l22-32L22 0"
            fill="none"
            stroke="var(--dark)"
            strokeWidth="4.5"
            strokeLinecap="round"
          />
          <path fill="var(--rose)" d="M-24-50h16c0 8-2 12-8 12s-8-4-8-12z" />
          <path fill="var(--roof)" d="M12-50h16c0 8-2 12-8 12s-8-4-8-12z" />
          <path
            d="M-66-2v-28h22v28M-66-30v-30M66-2v-28H44v28M66-30v-30"
            fill="none"
            stroke="var(--roof)"
            strokeWidth="5.5"
            strokeLinecap="round"
          />
        </Transform>
        <Flower x={60} y={186} s={0.9} />
        <Flower x={80} y={190} s={0.8} color="var(--accent)" />
      </>
    );
  return (
    <>
      <path fill="var(--wall)" d="M72 164V70h128v94z" />
      <path fill="var(--roof)" d="M64 60h144v14H64z" />
      <path fill="var(--light)" d="M82 108h56v42H82z" />
      <path fill="var(--pane)" d="M86 112h48v34H86z" />
      <Awning x={72} y={82} stripes={8} />
      <path fill="var(--dark)" d="M152 164v-54h34v54z" />
      <Transform x={234} y={128} s={1.1}>
        <path d="M-28-42h18M0-42v8" stroke="var(--dark)" strokeWidth="4" strokeLinecap="round" />
        <circle cy="-10" r="25" fill="var(--dark)" />
        <circle cy="-10" r="20" fill="var(--light)" />
        <path fill="var(--trunk)" d="M-11-14H8c0 12-3 17-9 17s-10-5-10-17z" />
        <path d="M8-12c8-1 8 9-1 9" fill="none" stroke="var(--trunk)" strokeWidth="3" />
        <path
          d="M-5-18c-3-3 2-5 0-8m6 8c-3-3 2-5 0-8"
          fill="none"
          stroke="var(--accent)"
          strokeWidth="2.5"
          strokeLinecap="round"
        />
      </Transform>
      <path d="M206 84h28" stroke="var(--dark)" strokeWidth="4" strokeLinecap="round" />
      <path fill="var(--stone)" d="M54 162h160v9H54z" />
      <Transform x={240} y={182} s={1}>
        <path d="M0 0v-24M-12 0h24" stroke="var(--dark)" strokeWidth="4" strokeLinecap="round" />
        <path fill="var(--light)" d="M-24-30h48v7h-48z" />
        <path fill="var(--rose)" d="M-8-40H8c0 8-3 10-8 10s-8-2-8-10z" />
      </Transform>
      <Transform x={42} y={170} s={0.9}>
        <path fill="var(--accent)" d="M-12-16h24l-4 18H-8z" />
        <path
          fill="var(--tree)"
          d="M0-14c-20-6-20-24-12-32 8 4 12 12 12 20 0-10 6-18 12-20 8 12 4 26-12 32z"
        />
      </Transform>
    </>
  );
}

const Crate = ({ x, y, color }: { x: number; y: number; color: string }) => (
  <Transform x={x} y={y} s={1}>
    <g fill={color}>
      {[-17, -6, 6, 17].map((at) => (
        <circle key={at} cx={at} cy="-20" r="7.5" />
      ))}
      {[-11, 0, 11].map((at) => (
        <circle key={at} cx={at} cy="-28" r="7" />
      ))}
    </g>
    <path fill="var(--trunk)" d="M-26-20h52L22 0h-44z" />
    <path d="M-24-11h48" stroke="var(--dark)" strokeWidth="2" opacity="0.6" />
  </Transform>
);

export function market({ form, pick }: Variation) {
  const kind = form(2);
  const stall = (x: number, y: number, s: number, nth: number) => (
    <Transform x={x} y={y} s={s}>
      <path d="M-44 0v-64M44 0v-64" stroke="var(--trunk)" strokeWidth="5" />
      <path fill="var(--dark)" opacity="0.35" d="M-44-66h88v40h-88z" />
      <Crate x={-20} y={-14} color={pick(['var(--brick)', 'var(--glow)', 'var(--rose)'], nth)} />
      <Crate x={22} y={-14} color={pick(['var(--leaf)', 'var(--accent)', 'var(--glow)'], nth + 1)} />
      <path fill="var(--trunk)" d="M-50-14H50V2H-50z" />
      <path fill="var(--wall)" d="M-48-10h96v10h-96z" />
      <Awning x={-56} y={-82} stripes={7} />
    </Transform>
  );
  return (
    <>
      <Lamp x={kind ? 24 : 298} y={168} />
      <path fill="var(--path)" opacity="0.85" d="M-300 176h920v28h-920z" />
      {kind === 0 ? (
        <>
          <Oak x={42} y={160} s={0.9} />
          {stall(160, 184, 1.5, 9)}
        </>
      ) : (
        <>
          {stall(92, 172, 1, 9)}
          {stall(230, 172, 1, 12)}
          <path d="M-20 36q180 70 360 0" fill="none" stroke="var(--dark)" strokeWidth="2.5" />
          {[
            [40, 56],
            [80, 65],
            [120, 70],
            [160, 71],
            [200, 70],
            [240, 65],
            [280, 56],
          ].map(([x = 0, y = 0], n) => (
            <path
              key={x}
              fill={['var(--accent)', 'var(--rose)', 'var(--glow)'][n % 3]}
              d={`M${x - 11} ${y - 2}h22l-11 20z`}
            />
          ))}
          <Crate x={160} y={194} color="var(--glow)" />
        </>
      )}
    </>
  );
}

export function shop({ form, pick }: Variation) {
  const kind = form(3);
  if (kind === 1)
    return (
      <>
        <Oak x={40} y={160} s={0.8} />
        <Oak x={286} y={160} s={0.7} />
        <path fill="var(--near)" d="M60 188c20-16 180-16 200 0z" />
        <Transform x={128} y={180} s={1.2}>
          <path d="M-18-64v-10a18 18 0 0 1 36 0v10" fill="none" stroke="var(--dark)" strokeWidth="5" />
          <path fill="var(--accent)" d="M-36-64h72l5 64h-82z" />
          <path fill="var(--light)" d="M0-14c-18-12-20-26-10-31 5-2 9 2 10 6 1-4 5-8 10-6 10 5 8 19-10 31z" />
        </Transform>
        <Transform x={208} y={182} s={1}>
          <path d="M-12-52v-10a12 12 0 0 1 24 0v10" fill="none" stroke="var(--dark)" strokeWidth="4.5" />
          <path fill="var(--rose)" d="M-26-52h52l4 52h-60z" />
          <path d="M-14-36h28M-15-24h30" stroke="var(--light)" strokeWidth="4" strokeLinecap="round" />
        </Transform>
      </>
    );
  const goods = pick([0, 1, 2], 9);
  return (
    <>
      <Lamp x={kind ? 34 : 286} y={170} />
      <path fill="var(--wall)" d="M74 164V42h172v122z" />
      <path fill="var(--roof)" d="M66 34h188v12H66z" />
      <Panes x={88} y={54} count={5} gap={32} w={18} h={20} />
      <path fill="var(--light)" d="M84 112h92v44H84z" />
      <path fill="var(--pane)" d="M88 116h84v36H88z" />
      <Awning x={72} y={86} stripes={11} />
      {goods === 0 && (
        <path fill="var(--light)" d="M98 150v-18l-6 6-5-7 12-10h16l12 10-5 7-6-6v18zm42 0l4-28h10l10 28z" />
      )}
      {goods === 1 && (
        <>
          <circle cx="112" cy="138" r="13" fill="var(--rose)" />
          <path fill="var(--accent)" d="M138 128h26v23h-26z" />
          <path d="M151 128v23m-13-12h26" stroke="var(--light)" strokeWidth="3.5" />
        </>
      )}
      {goods === 2 && (
        <>
          <Flower x={106} y={152} s={0.95} />
          <Flower x={130} y={152} s={1.05} color="var(--light)" />
          <Flower x={154} y={152} s={0.95} color="var(--accent)" />
        </>
      )}
      <path fill="var(--dark)" d="M190 164v-50h40v50z" />
      <path fill="var(--pane)" d="M196 120h28v30h-28z" />
      <path fill="var(--light)" d="M201 128h18v11h-18z" />
      <path fill="var(--stone)" d="M56 162h208v9H56z" />
      <Path d="M210 206v-32" width={18} />
      {kind === 2 && <Bush x={50} y={172} s={0.7} />}
    </>
  );
}
