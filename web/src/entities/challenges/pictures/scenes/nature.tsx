import {
  Bench,
  Birds,
  Bush,
  Cypress,
  Flag,
  Flower,
  Lamp,
  Oak,
  Path,
  Pine,
  Sailboat,
  Transform,
  type Variation,
  Water,
} from '../parts.tsx';

export function park({ form, pick }: Variation) {
  const kind = form(3);
  return (
    <>
      {kind === 0 && (
        <>
          <Cypress x={92} y={152} s={1.1} />
          <Cypress x={40} y={158} s={0.62} />
          <Oak x={278} y={158} s={1.1} />
          <Path />
          <Bench x={182} y={166} s={1.15} />
        </>
      )}
      {kind === 1 && (
        <>
          <Oak x={214} y={160} s={1.7} />
          <Cypress x={286} y={158} s={0.6} />
          <Path d="M40 206c60-26 60-40 150-44" />
          <Lamp x={76} y={168} s={1.1} />
          <Bench x={128} y={168} />
          <Bush x={262} y={168} />
        </>
      )}
      {kind === 2 && (
        <>
          <Oak x={70} y={156} s={1.3} />
          <Oak x={262} y={156} s={0.95} />
          <ellipse cx="172" cy="172" rx="74" ry="15" fill="var(--water)" />
          <path
            d="M124 172h30m20 6h38m-24-12h20"
            stroke="var(--ripple)"
            strokeWidth="3.5"
            strokeLinecap="round"
          />
          <Transform x={176} y={168} s={1.2}>
            <path
              fill="var(--light)"
              d="M-22-8c4 10 32 12 40 0 1-6-3-8-8-6l-2-8c-2-8-11-7-11 0l2 8c-6 4-14 6-21 6z"
            />
            <path fill="var(--accent)" d="M-1-24l-9 3 9 3z" />
          </Transform>
          <Flower x={60} y={184} s={0.9} />
          <Flower x={82} y={190} s={0.8} color="var(--accent)" />
        </>
      )}
      <Bush x={pick([20, 300, 12], 9)} y={172} s={0.8} />
    </>
  );
}

export function garden({ form, pick }: Variation) {
  const colors = ['var(--rose)', 'var(--light)', 'var(--accent)'];
  const bed = (y: number, from: number, s: number) =>
    [0, 38, 76, 114, 152, 190, 228, 266].map((along, n) => (
      <Flower key={along} x={from + along} y={y} s={s} color={colors[(n + pick([0, 1, 2], 9)) % 3] ?? ''} />
    ));
  const kind = form(3);
  return (
    <>
      {kind === 0 && (
        <>
          <Cypress x={44} y={156} s={0.8} />
          <Cypress x={276} y={156} s={0.8} />
          <Path d="M160 204V150" width={22} />
          <path
            d="M118 158v-52a42 42 0 0 1 84 0v52"
            fill="none"
            stroke="var(--light)"
            strokeWidth="7"
            strokeLinecap="round"
          />
          <path
            d="M118 158v-52a42 42 0 0 1 84 0v52"
            fill="none"
            stroke="var(--tree)"
            strokeWidth="13"
            strokeLinecap="round"
            opacity="0.75"
          />
          <g fill="var(--rose)">
            {[
              [118, 142],
              [115, 116],
              [122, 90],
              [140, 70],
              [162, 64],
              [184, 72],
              [199, 92],
              [204, 118],
              [201, 144],
            ].map(([x, y]) => (
              <circle key={`${x}`} cx={x} cy={y} r="7.5" />
            ))}
          </g>
        </>
      )}
      {kind === 1 && (
        <>
          <Oak x={40} y={158} />
          <path fill="var(--light)" opacity="0.9" d="M84 160v-58l76-46 76 46v58z" />
          <path fill="var(--water)" opacity="0.45" d="M84 160v-58l76-46 76 46v58z" />
          <path
            d="M84 160v-58l76-46 76 46v58M84 102h152M122 160V80m38 80V56m38 104V80"
            fill="none"
            stroke="var(--dark)"
            strokeWidth="4"
          />
          <path fill="var(--dark)" d="M148 162v-36h24v36z" />
          <Bush x={108} y={160} s={0.8} />
          <Bush x={216} y={160} s={0.8} />
        </>
      )}
      {kind === 2 && (
        <>
          <Oak x={258} y={158} s={1.3} />
          <Transform x={130} y={164} s={1.25}>
            <path
              d="M-28-38c-28-6-28 30-2 30"
              fill="none"
              stroke="var(--dark)"
              strokeWidth="6"
              strokeLinecap="round"
            />
            <path fill="var(--shade)" d="M-30-44h60l-6 44h-48z" />
            <path fill="var(--wall)" d="M-30-44H6l-4 44h-26z" />
            <path fill="var(--dark)" d="M-34-50h68v9h-68zM28-32l26-18 5 6-27 22z" />
            <circle cx="58" cy="-50" r="8" fill="var(--dark)" />
          </Transform>
          <path
            d="M212 116l6 8m6-16l7 9m4-17l8 9"
            stroke="var(--water)"
            strokeWidth="4"
            strokeLinecap="round"
          />
        </>
      )}
      {kind === 2 ? bed(178, 150, 1.05) : bed(178, 26, 0.85).filter((_, n) => n !== 3 && n !== 4)}
      {bed(200, 8, 1.05).filter((_, n) => kind !== 0 || (n !== 4 && n !== 3))}
    </>
  );
}

export function forest({ form, pick }: Variation) {
  const kind = form(3);
  if (kind === 1)
    return (
      <>
        {[10, 64, 108, 216, 262, 312].map((x, n) => (
          <Transform key={x} x={x} y={168 + (n % 2) * 8} s={1}>
            <path fill="var(--trunk)" d="M-9 4v-180h18V4z" />
            <path fill="var(--dark)" opacity="0.35" d="M2 4v-180h7V4z" />
          </Transform>
        ))}
        <path
          fill="var(--leaf)"
          d="M-300 0h920v46c-20 22-52 18-62 4-14 24-60 22-70 0-12 22-56 20-66-2-10 26-58 24-66-4-14 26-60 26-72 4-12 22-58 24-66-2-14 24-58 22-70-2-14 24-56 22-66 0-14 22-60 20-66-4-14 24-60 24-72 0-12 22-58 22-68-4-12 22-60 24-72 4-10 18-80 22-94-8z"
        />
        <path
          fill="var(--tree)"
          d="M-300 0h920v22c-20 20-52 16-62 4-14 18-60 18-70 0-12 18-56 16-66-2-10 22-58 20-66-4-14 22-60 22-72 4-12 18-58 20-66-2-14 20-58 18-70-2-14 20-56 18-66 0-14 18-60 16-66-4-14 20-60 20-72 0-12 18-58 18-68-4-12 18-60 20-72 4-10 18-80 22-94-8z"
        />
        <Path d="M150 204c-20-30 40-22 12-48" width={20} />
        <Mushroom x={196} y={184} s={1.2} />
        <Mushroom x={222} y={188} s={0.75} />
        <Bush x={86} y={182} s={0.8} />
      </>
    );
  return (
    <>
      {[18, 58, 100, 222, 262, 306].map((x, n) => (
        <Pine key={x} x={x} y={152} s={0.8 + (n % 3) * 0.12} />
      ))}
      <Pine x={84} y={176} s={1.45} />
      <Pine x={kind ? 250 : 236} y={180} s={1.25} />
      <Pine x={30} y={188} s={1.1} />
      <Pine x={298} y={186} s={1.4} />
      <Path d="M150 206c44-22-30-28 16-54" width={15} />
      {kind === 0 ? (
        <Transform x={178} y={172} s={1.05} flip={pick([true, false], 9)}>
          <path
            fill="var(--amber)"
            d="M-22-2v-20c4-8 22-8 30-6l6-14 5 8 10 4-8 10-4 18H12V-12H-10V-2zM-22-20c-12-2-16-10-14-18 6 4 8 10 18 12z"
          />
          <path fill="var(--light)" d="M-35-36c2 2 4 4 6 6l-5-1z" />
        </Transform>
      ) : (
        <>
          <Mushroom x={150} y={180} s={1.3} />
          <Mushroom x={176} y={186} s={0.85} />
        </>
      )}
    </>
  );
}

const Mushroom = (at: { x: number; y: number; s: number }) => (
  <Transform {...at}>
    <path fill="var(--light)" d="M-5 0l2-18h6l2 18z" />
    <path fill="var(--brick)" d="M-17-15c0-14 9-20 17-20s17 6 17 20z" />
    <g fill="var(--light)">
      <circle cx="-7" cy="-22" r="3" />
      <circle cx="5" cy="-27" r="3" />
      <circle cx="9" cy="-19" r="2.4" />
    </g>
  </Transform>
);

export function mountain({ form }: Variation) {
  const kind = form(3);
  return (
    <>
      <path fill="var(--shade)" d="M-60 164l96-92 60 54 20 38zM200 164l80-84 110 84z" />
      <path fill="var(--roof)" d="M50 166L158 30l46 50 18-16 66 102z" />
      <path fill="var(--wall)" opacity="0.35" d="M50 166L158 30l-14 76-26 60z" />
      <path fill="var(--light)" d="M158 30l-34 43 16 2 10 14 14-16 14 8 12-13z" />
      {kind === 0 && (
        <>
          <Flag x={158} y={32} s={0.55} />
          <Pine x={66} y={172} s={0.7} />
          <Pine x={94} y={180} s={0.55} />
          <Pine x={276} y={176} s={0.8} />
        </>
      )}
      {kind === 1 && (
        <>
          <path
            d="M180 204c-70-10 60-26-10-36 60-12-10-28 10-52"
            fill="none"
            stroke="var(--path)"
            strokeWidth="7"
            strokeLinecap="round"
          />
          <Transform x={92} y={178} s={0.95}>
            <path fill="var(--accent)" d="M-34 2L0-44l34 46z" />
            <path fill="var(--dark)" d="M-10 2L0-30 12 2z" />
          </Transform>
          <Pine x={258} y={174} s={0.75} />
        </>
      )}
      {kind === 2 && (
        <>
          <path d="M68 84L272 46" stroke="var(--dark)" strokeWidth="2.5" />
          <path d="M272 166V40M68 166V78" stroke="var(--dark)" strokeWidth="6" strokeLinecap="round" />
          <Transform x={118} y={76} s={1.1}>
            <path d="M0 0v10" stroke="var(--dark)" strokeWidth="3" />
            <path
              fill="var(--accent)"
              d="M-17 12a5 5 0 0 1 5-5h24a5 5 0 0 1 5 5v14a6 6 0 0 1-6 6h-22a6 6 0 0 1-6-6z"
            />
            <path fill="var(--light)" d="M-12 12H-2v9h-10zM2 12h10v9H2z" />
          </Transform>
          <Pine x={40} y={180} s={0.7} />
          <Pine x={236} y={180} s={0.6} />
        </>
      )}
    </>
  );
}

export function viewpoint({ form }: Variation) {
  const kind = form(3);
  if (kind === 2)
    return (
      <>
        <Cypress x={52} y={160} s={0.7} />
        <Oak x={270} y={160} s={0.9} />
        <path fill="var(--shade)" d="M142 164l8-86h20l8 86z" />
        <path fill="var(--wall)" d="M142 164l8-86h10v86z" />
        <path fill="var(--roof)" d="M126 54h68l-8 26h-52z" />
        <path fill="var(--pane)" d="M136 60h48l-3 11h-42z" />
        <path fill="var(--dark)" d="M122 48h76v8h-76z" />
        <path fill="var(--accent)" d="M138 48c4-14 40-14 44 0z" />
        <path d="M160 38V14" stroke="var(--dark)" strokeWidth="4" strokeLinecap="round" />
        <circle cx="160" cy="13" r="4.5" fill="var(--glow)" />
        <path fill="var(--dark)" d="M152 140h16v26h-16z" />
        <Path d="M110 206c10-24 44-20 50-40" />
      </>
    );
  return (
    <>
      <path fill="var(--hill)" d="M-300 150c120-40 260-30 380-10s300-30 540 0v70h-920z" />
      <Pine x={54} y={138} s={0.32} />
      <Pine x={70} y={142} s={0.26} />
      <Pine x={206} y={138} s={0.3} />
      <Pine x={222} y={136} s={0.36} />
      <path
        d="M40 204c30-40 130-10 90-60"
        fill="none"
        stroke="var(--water)"
        strokeWidth="12"
        strokeLinecap="round"
      />
      <path fill="var(--near)" d="M-300 204v-16c120-8 240-8 340-4 90-10 200-12 290-6s200 0 290 4v22z" />
      {kind === 0 ? (
        <>
          <Transform x={172} y={178} s={1.5}>
            <path
              d="M0 0v-34m-13 34L0-30 13 0"
              stroke="var(--dark)"
              strokeWidth="4"
              strokeLinecap="round"
              fill="none"
            />
            <path fill="var(--roof)" d="M-26-34l40-20 7 14-40 18z" />
            <path fill="var(--accent)" d="M14-56l12-5 8 17-11 5zM-28-33l9-4 5 11-8 4z" />
          </Transform>
          <Birds x={80} y={74} />
          <path
            d="M-300 182h386m148 0h386M46 196v-30m-40 30v-30m250 30v-30m40 30v-30"
            stroke="var(--dark)"
            strokeWidth="4"
            strokeLinecap="round"
          />
          <path d="M-300 168h386m148 0h386" stroke="var(--dark)" strokeWidth="4" strokeLinecap="round" />
        </>
      ) : (
        <>
          <path
            fill="var(--roof)"
            opacity="0.55"
            d="M14 142v-22h10v-14h12v14h8v-34l6-10 6 10v26h10v-18h14v24h8v-12h12v36z"
          />
          <path fill="var(--near)" d="M96 204c4-34 40-46 78-46s90 14 100 46z" />
          <Oak x={252} y={168} s={1.25} />
          <Bench x={158} y={162} s={1.25} />
          <Birds x={64} y={80} />
        </>
      )}
    </>
  );
}

export function water({ form, pick }: Variation) {
  const kind = form(3);
  return (
    <>
      <Pine x={26} y={142} s={0.55} />
      <Pine x={52} y={144} s={0.42} />
      <Oak x={286} y={144} s={0.6} />
      <Water y={138} />
      {kind === 0 && (
        <>
          <Transform x={166} y={168} s={1.25}>
            <path fill="var(--brick)" d="M-58-16c10 6 106 6 116 0-6 20-18 24-34 24h-48c-16 0-28-4-34-24z" />
            <path fill="var(--dark)" d="M-36-13h72v4h-72z" />
            <path d="M-6-34l30 46M26-32L-8 12" stroke="var(--dark)" strokeWidth="4" strokeLinecap="round" />
          </Transform>
          <path
            d="M30 200v-34m12 34v-46m12 46v-28m226 28v-40m12 40v-28"
            stroke="var(--tree)"
            strokeWidth="4"
            strokeLinecap="round"
          />
          <path d="M42 160v-12m238 18v-11" stroke="var(--trunk)" strokeWidth="8" strokeLinecap="round" />
        </>
      )}
      {kind === 1 && (
        <>
          <path fill="var(--shade)" d="M70 140c2-60 22-96 54-100h74c32 6 50 44 54 100z" />
          <path fill="var(--stone)" d="M70 140c2-60 22-96 54-100l-6 100z" />
          <path fill="var(--tree)" d="M112 46c10-16 26-12 32-6 10-12 34-10 42 2 8-4 22 0 24 10z" />
          <path fill="var(--ripple)" d="M136 42h50l8 104h-66z" />
          <path
            d="M148 48l-4 92m18-94v96m14-96l4 92"
            stroke="var(--water)"
            strokeWidth="4"
            strokeLinecap="round"
          />
          <path
            fill="var(--light)"
            d="M112 150a12 12 0 0 1 14-15 16 16 0 0 1 28-4 16 16 0 0 1 26 2 12 12 0 0 1 20 4 10 10 0 0 1 6 15c-20 8-74 8-94-2z"
          />
        </>
      )}
      {kind === 2 && (
        <>
          <path fill="var(--trunk)" d="M96 204l38-58h30l8 58z" />
          <path
            d="M104 192h66m-58-14h56m-48-13h46m-38-12h36"
            stroke="var(--dark)"
            strokeWidth="2.5"
            opacity="0.5"
          />
          <path d="M134 162v-22m34 22v-22" stroke="var(--dark)" strokeWidth="5" strokeLinecap="round" />
          <Transform x={pick([212, 216, 88], 9)} y={164} s={1.2}>
            <path
              fill="var(--light)"
              d="M-24-8c4 12 34 14 44 0 2-6-3-9-8-6l-2-9c-2-8-12-7-12 0l2 9c-6 4-15 6-24 6z"
            />
            <path fill="var(--accent)" d="M-3-25l-10 3 10 4z" />
          </Transform>
        </>
      )}
    </>
  );
}

export function beach({ form }: Variation) {
  const kind = form(3);
  return (
    <>
      <Water y={112} />
      <path fill="var(--ripple)" d="M-300 168c110-26 220-26 320-16s160-22 300-18 200 16 300 4v72h-920z" />
      <path fill="var(--sand)" d="M-300 176c110-26 220-26 320-16s160-22 300-18 200 16 300 4v72h-920z" />
      {kind === 0 && (
        <>
          <Sailboat x={70} y={130} s={0.6} />
          <Transform x={182} y={188} s={1.2}>
            <path d="M0 0L-12-82" stroke="var(--dark)" strokeWidth="4.5" strokeLinecap="round" />
            <path fill="var(--accent)" d="M-68-52c2-30 28-46 54-40 26-2 52 14 46 26z" />
            <path fill="var(--light)" d="M-46-56c2-18 16-34 34-36 18 2 30 18 26 28z" />
            <path fill="var(--accent)" d="M-24-60c0-14 6-28 12-32 8 4 14 16 14 28z" />
          </Transform>
          <path fill="var(--rose)" d="M206 182l54-8 6 10-56 10z" />
          <circle cx="122" cy="184" r="11" fill="var(--rose)" />
          <path d="M112 180c6 4 14 4 20 0" stroke="var(--light)" strokeWidth="3" fill="none" />
        </>
      )}
      {kind === 1 && (
        <>
          <Transform x={206} y={186} s={1.2}>
            <path
              d="M0 0c-8-30-6-64-22-92"
              fill="none"
              stroke="var(--trunk)"
              strokeWidth="9"
              strokeLinecap="round"
            />
            <path
              fill="var(--tree)"
              d="M-22-92c-18-20-44-16-54 6 18-12 34-10 50-4-20 2-32 16-30 34 8-16 20-24 32-32 2 18 12 30 26 32-2-14-8-24-16-32 16 0 28 8 34 24 6-20-8-38-34-34 10-8 22-10 36-4-8-20-34-20-44 10z"
            />
            <circle cx="-20" cy="-84" r="5" fill="var(--trunk)" />
            <circle cx="-28" cy="-86" r="5" fill="var(--trunk)" />
          </Transform>
          <Sailboat x={72} y={134} s={0.7} />
          <Transform x={108} y={190} s={1.1}>
            <path fill="var(--rose)" d="M0-28l7 10 12-1-4 11 7 10-12 1-10 5-6-9-12-1 5-11-5-11 12 1z" />
          </Transform>
        </>
      )}
      {kind === 2 && (
        <>
          <Transform x={148} y={188} s={1.25}>
            <path fill="var(--glow)" d="M-52 0v-30h24v-12h8v12h32v-20h8v20h24V0z" />
            <path fill="var(--sand)" d="M-60 0c20-6 86-6 112 0v4h-112z" />
            <path fill="var(--trunk)" d="M-10 0v-14a8 8 0 0 1 16 0V0z" opacity="0.75" />
            <path fill="var(--glow)" d="M-52-30v-8h6v4h6v-4h6v4h6v-4h-1v8zM16-50v-8h6v4h6v-4h6v4h8v28H16z" />
            <path d="M-22-42v-26" stroke="var(--dark)" strokeWidth="3" strokeLinecap="round" />
            <path fill="var(--rose)" d="M-21-68l18 6-18 7z" />
          </Transform>
          <Transform x={248} y={186} s={1.1}>
            <path fill="var(--accent)" d="M-14-24h28l-5 24H-9z" />
            <path d="M-14-24a14 14 0 0 1 28 0" fill="none" stroke="var(--dark)" strokeWidth="3.5" />
          </Transform>
          <Birds x={60} y={84} />
        </>
      )}
    </>
  );
}

export function harbour({ form }: Variation) {
  const kind = form(3);
  return (
    <>
      <Water y={126} />
      {kind === 0 && (
        <>
          <path fill="var(--stone)" d="M122 160c6-16 24-22 46-22s46 6 54 22z" />
          <path fill="var(--light)" d="M150 140l8-86h24l8 86z" />
          <path fill="var(--brick)" d="M156 76h28l2 20h-32zM152 116h36l2 24h-40z" />
          <path fill="var(--dark)" d="M150 48h40v7h-40zM154 30l16-14 16 14z" />
          <path fill="var(--glow)" d="M157 30h26v18h-26z" />
          <path fill="var(--glow)" opacity="0.35" d="M157 34L40 14v38zM183 34l117-20v38z" />
          <Sailboat x={76} y={176} s={0.8} />
          <Sailboat x={262} y={184} s={0.7} flip />
        </>
      )}
      {kind === 1 && (
        <>
          <Sailboat x={64} y={150} s={0.7} />
          <Transform x={176} y={176} s={1.2}>
            <path fill="var(--light)" d="M-34-34h60v20h-60z" />
            <path fill="var(--wall)" d="M-22-52h40v18h-40z" />
            <path
              fill="var(--pane)"
              d="M-16-47h8v8h-8zm12 0h8v8h-8zm12 0h8v8H8zM-28-28h8v7h-8zm14 0h8v7h-8zm14 0h8v7H0zm14 0h8v7h-8z"
            />
            <path fill="var(--accent)" d="M-8-74H8v22H-8z" />
            <path fill="var(--dark)" d="M-8-74H8v7H-8z" />
            <path fill="var(--roof)" d="M-66-16h124c-4 20-14 28-28 28h-70c-14 0-22-10-26-28z" />
            <path d="M-56-8h108" stroke="var(--light)" strokeWidth="3" />
          </Transform>
          <path
            d="M10 204v-36m40 36v-36m-60 0h76"
            stroke="var(--trunk)"
            strokeWidth="8"
            strokeLinecap="round"
          />
        </>
      )}
      {kind === 2 && (
        <>
          <Sailboat x={108} y={164} s={1.25} />
          <Sailboat x={222} y={156} s={0.95} flip />
          <path fill="var(--trunk)" d="M-300 184h920v10h-920z" />
          <path
            d="M40 204v-34m80 34v-34m80 34v-34m80 34v-34m-340 34v-34m-80 34v-34m540 34v-34m80 34v-34"
            stroke="var(--dark)"
            strokeWidth="8"
            strokeLinecap="round"
          />
          <path d="M40 176q40 16 80 0t80 0 80 0" fill="none" stroke="var(--light)" strokeWidth="3" />
        </>
      )}
      <Birds x={kind === 0 ? 92 : 226} y={70} s={0.8} />
    </>
  );
}

export function farm({ form, pick }: Variation) {
  const kind = form(3);
  const rows = (
    <path
      d="M150 176L60 206m96-30l-28 30m36-30l14 30m-4-30l64 30m-48-30l120 30"
      stroke="var(--path)"
      strokeWidth="4"
      strokeLinecap="round"
      opacity="0.8"
    />
  );
  return (
    <>
      {kind === 0 && (
        <>
          <path fill="var(--stone)" d="M212 158V84a18 18 0 0 1 36 0v74z" />
          <path fill="var(--roof)" d="M212 84a18 18 0 0 1 36 0z" />
          <path fill="var(--brick)" d="M92 162v-58l22-34h54l22 34v58z" />
          <path fill="var(--roof)" d="M84 108l26-42h62l26 42-8 4-23-38h-52l-23 38z" />
          <path fill="var(--light)" d="M120 162v-38h42v38zM133 84h16v16h-16z" />
          <path d="M120 124l42 38m0-38l-42 38" stroke="var(--brick)" strokeWidth="4" />
          <Oak x={52} y={162} s={0.8} />
        </>
      )}
      {kind === 1 && (
        <>
          <path fill="var(--wall)" d="M134 164l10-76h32l10 76z" />
          <path fill="var(--shade)" d="M160 164V88h16l10 76z" />
          <path fill="var(--roof)" d="M140 90c2-18 12-24 20-24s18 6 20 24z" />
          <path fill="var(--dark)" d="M152 164v-22a8 8 0 0 1 16 0v22z" />
          <g transform={`rotate(${pick([20, 45, 8], 9)} 160 80)`}>
            <path
              d="M160 80V18m0 62v62m0-62H98m62 0h62"
              stroke="var(--dark)"
              strokeWidth="4"
              strokeLinecap="round"
            />
            <path
              fill="var(--light)"
              d="M162 20h14v46h-14zM158 140h-14V94h14zM100 78V64h46v14zM220 82v14h-46V82z"
            />
          </g>
          <circle cx="160" cy="80" r="6" fill="var(--accent)" />
          <Bush x={96} y={166} s={0.7} />
          <Bush x={226} y={164} s={0.9} />
        </>
      )}
      {kind === 2 && (
        <>
          <Oak x={264} y={158} s={1.1} />
          <path
            d="M10 174V142m60 30v-30m-90 8h110m-110 14h110"
            stroke="var(--light)"
            strokeWidth="5"
            strokeLinecap="round"
          />
          <Transform x={168} y={176} s={1.35}>
            <path fill="var(--dark)" d="M-24 0v-18h7V0zm8 0v-18h7V0zM10 0v-18h7V0zm8 0v-18h7V0z" />
            <path
              fill="var(--cloud)"
              d="M-26-14a12 12 0 0 1-2-20 13 13 0 0 1 16-14 14 14 0 0 1 24-2 13 13 0 0 1 16 12 12 12 0 0 1-2 24c-14 8-40 8-52 0z"
            />
            <path fill="var(--dark)" d="M26-44c10-8 24-4 26 6 1 8-6 14-14 12-8 0-14-8-12-18z" />
            <path fill="var(--dark)" d="M28-40c-8-2-12 2-14 6 6 2 10 2 14-1z" />
            <circle cx="41" cy="-38" r="2" fill="var(--light)" />
          </Transform>
        </>
      )}
      {kind === 2 ? null : rows}
    </>
  );
}
