import { Bush, Cypress, Flag, Oak, Path, Pine, Transform, type Variation } from '../parts.tsx';

export function sports({ form }: Variation) {
  const kind = form(3);
  if (kind === 1)
    return (
      <>
        <Cypress x={36} y={156} s={0.7} />
        <Oak x={284} y={156} s={0.75} />
        <path fill="var(--trunk)" d="M-300 168h920v36h-920z" opacity="0.85" />
        <path d="M-300 188h920" stroke="var(--path)" strokeWidth="3.5" />
        <Transform x={206} y={176} s={1}>
          <path d="M0 0v-66" stroke="var(--dark)" strokeWidth="7" strokeLinecap="round" />
          <path fill="var(--light)" d="M-36-136h72v58h-72z" />
          <path
            d="M-36-136h72v58h-72zM-15-116h30v24h-30z"
            fill="none"
            stroke="var(--roof)"
            strokeWidth="4.5"
          />
          <path d="M-20-84h40" stroke="var(--brick)" strokeWidth="5" strokeLinecap="round" />
          <path
            d="M-18-82l6 26m6-26l-2 26m14-26l2 26m10-26l-6 26m-26-12h24"
            stroke="var(--stone)"
            strokeWidth="2.5"
          />
        </Transform>
        <circle cx="112" cy="98" r="22" fill="var(--amber)" />
        <path
          d="M90 98h44m-22-22v44m-14-38c12 10 12 22 0 32m28-32c-12 10-12 22 0 32"
          fill="none"
          stroke="var(--dark)"
          strokeWidth="2.5"
        />
        <path
          d="M60 168c6-20 16-34 26-44"
          fill="none"
          stroke="var(--light)"
          strokeWidth="3.5"
          strokeLinecap="round"
          opacity="0.8"
        />
      </>
    );
  if (kind === 2)
    return (
      <>
        <path fill="var(--stone)" d="M20 140c20-60 260-60 280 0v26H20z" />
        <path fill="var(--shade)" d="M20 140c20-30 260-30 280 0v26H20z" />
        <g fill="var(--accent)">
          {[52, 84, 116, 148, 180, 212, 244, 268].map((x, n) => (
            <circle
              key={x}
              cx={x}
              cy={118 - Math.round(22 * Math.sin((n + 0.7) / 2.7)) + (n % 2) * 8}
              r="4.5"
              fill={['var(--accent)', 'var(--rose)', 'var(--light)'][n % 3]}
            />
          ))}
        </g>
        <path fill="var(--tree)" d="M-10 200c30-56 310-56 340 0z" />
        <path fill="var(--brick)" d="M-30 204c30-66 350-66 380 0h-24c-30-44-302-44-332 0z" opacity="0.9" />
        <path d="M46 60v54m228-54v54" stroke="var(--dark)" strokeWidth="5" />
        <path fill="var(--glow)" d="M28 44h36v20H28zm228 0h36v20h-36z" />
        <Flag x={160} y={98} s={0.8} />
        <path d="M160 168v34m-44-14c20-12 68-12 88 0" fill="none" stroke="var(--path)" strokeWidth="3.5" />
      </>
    );
  return (
    <>
      <Oak x={32} y={152} s={0.75} />
      <Cypress x={292} y={154} s={0.6} />
      <path fill="var(--tree)" d="M-300 160h920v44h-920z" opacity="0.55" />
      <path d="M-300 174h920" stroke="var(--path)" strokeWidth="4" />
      <path
        d="M92 172l14-16h108l14 16M106 156V94m108 62V94M92 130h136M92 108h136M120 84v88m20-88v88m20-88v88m20-88v88m20-88v88M92 150h136"
        stroke="var(--cloud)"
        strokeWidth="2"
        opacity="0.8"
        fill="none"
      />
      <path d="M88 176V80h144v96" fill="none" stroke="var(--light)" strokeWidth="8" strokeLinecap="round" />
      <circle cx="178" cy="176" r="20" fill="var(--light)" />
      <path
        fill="var(--dark)"
        d="M178 168l8 6-3 9h-10l-3-9zM164 162l6-4 4 3-3 6zM192 162l-6-4-4 3 3 6zM159 180l7 1 2 6-5 3zM197 180l-7 1-2 6 5 3zM173 195h10l-2-5h-6z"
      />
    </>
  );
}

export function playground({ form }: Variation) {
  const kind = form(3);
  if (kind === 1)
    return (
      <>
        <Oak x={38} y={160} s={0.85} />
        <Oak x={288} y={160} s={0.7} />
        <path fill="var(--sand)" d="M50 188c20-20 200-20 220 0z" />
        <path
          d="M72 178L96 62l24 116M200 178l24-116 24 116M90 62h140"
          fill="none"
          stroke="var(--roof)"
          strokeWidth="7"
          strokeLinecap="round"
        />
        <path d="M132 64l-16 70m24-70l-10 74M184 64v74m14-74v74" stroke="var(--dark)" strokeWidth="3" />
        <path d="M112 138h22M180 140h22" stroke="var(--accent)" strokeWidth="7" strokeLinecap="round" />
        <Transform x={124} y={136} s={1}>
          <circle cx="6" cy="-32" r="9" fill="var(--light)" />
          <path fill="var(--rose)" d="M-4 0c-2-14 2-24 10-24s12 10 8 24z" />
          <path d="M-2-2l-16 6m10-2l-14 10" stroke="var(--rose)" strokeWidth="5" strokeLinecap="round" />
        </Transform>
      </>
    );
  if (kind === 2)
    return (
      <>
        <Oak x={160} y={172} s={1.85} />
        <Pine x={36} y={162} s={0.75} />
        <path fill="var(--trunk)" d="M108 122h84v8h-84z" />
        <path fill="var(--wall)" d="M116 122V90h68v32z" />
        <path fill="var(--roof)" d="M106 92l44-34 44 34z" />
        <path fill="var(--dark)" d="M142 122v-20h18v20z" />
        <path
          d="M116 130v44m18-44v44m-18-34h18m-18 12h18m-18 12h18"
          stroke="var(--glow)"
          strokeWidth="4"
          strokeLinecap="round"
        />
        <path
          d="M192 128c30 4 30 44 64 46"
          fill="none"
          stroke="var(--accent)"
          strokeWidth="12"
          strokeLinecap="round"
        />
        <Flag x={150} y={60} s={0.5} />
      </>
    );
  return (
    <>
      <Oak x={36} y={160} s={0.85} />
      <Cypress x={290} y={160} s={0.65} />
      <path fill="var(--sand)" d="M50 188c20-20 200-20 220 0z" />
      <path d="M98 176V84m52 92V84" stroke="var(--roof)" strokeWidth="8" strokeLinecap="round" />
      <path fill="var(--rose)" d="M84 86l40-38 40 38z" />
      <path fill="var(--wall)" d="M98 112h52v14H98z" />
      <path
        d="M102 126v50m-14-40h14m-14 14h14m-14 14h14M88 176V126"
        stroke="var(--dark)"
        strokeWidth="4.5"
        strokeLinecap="round"
      />
      <path
        d="M152 116c44 2 34 58 94 60"
        fill="none"
        stroke="var(--accent)"
        strokeWidth="17"
        strokeLinecap="round"
      />
      <path
        d="M152 110c46 2 38 56 94 60"
        fill="none"
        stroke="var(--light)"
        strokeWidth="4"
        strokeLinecap="round"
        opacity="0.7"
      />
      <Transform x={126} y={112} s={1}>
        <circle cy="-20" r="8" fill="var(--light)" />
        <path fill="var(--tree)" d="M-10 0c0-10 4-13 10-13s10 3 10 13z" />
      </Transform>
      <Transform x={84} y={190} s={0.9}>
        <path fill="var(--brick)" d="M-12-18h24l-4 18H-8z" />
      </Transform>
    </>
  );
}

export function zoo({ form }: Variation) {
  const kind = form(3);
  const fence = (
    <>
      <path d="M-294 191h920" stroke="var(--trunk)" strokeWidth="26" strokeDasharray="7 23" />
      <path d="M-300 188h920" stroke="var(--trunk)" strokeWidth="5" />
    </>
  );
  if (kind === 1)
    return (
      <>
        <Pine x={40} y={158} s={0.8} />
        <Oak x={286} y={158} s={0.8} />
        <Transform x={156} y={184} s={1.25}>
          <path
            fill="var(--stone)"
            d="M-44 0v-36c0-24 16-38 40-38 6-14 38-16 46 4 8 16 2 26 4 42 1 8 6 8 8 2l6 2c-2 14-20 14-22-2l-4-12-12-2V0H6v-18h-32V0z"
          />
          <path fill="var(--shade)" d="M8-66c-14 0-18 24-6 32 10 2 16-8 14-18z" />
          <circle cx="32" cy="-58" r="3" fill="var(--dark)" />
          <path fill="var(--light)" d="M38-36c4 4 8 6 12 6 0 6-10 6-14 0z" />
          <path
            d="M-44-44c-8 2-10 12-8 18"
            fill="none"
            stroke="var(--stone)"
            strokeWidth="5"
            strokeLinecap="round"
          />
        </Transform>
        {fence}
      </>
    );
  if (kind === 2)
    return (
      <>
        {[22, 50, 276, 302].map((x, n) => (
          <g key={x}>
            <path d={`M${x} 176V${60 - n * 5}`} stroke="var(--leaf)" strokeWidth="7" strokeLinecap="round" />
            <path
              fill="var(--tree)"
              d={`M${x} ${90 - n * 4}c14-14 26-10 32-4-12 8-22 10-32 4zm0 26c-14-14-26-10-32-4 12 8 22 10 32 4z`}
            />
          </g>
        ))}
        <Transform x={160} y={180} s={1.35}>
          <path fill="#2f2440" d="M-36-2c-8-24 2-44 14-48h44c12 4 22 24 14 48z" />
          <path fill="#fff8ee" d="M-24-2c-6-24 4-44 24-44s30 20 24 44z" />
          <circle cx="-24" cy="-92" r="11" fill="#2f2440" />
          <circle cx="24" cy="-92" r="11" fill="#2f2440" />
          <ellipse cy="-72" rx="34" ry="28" fill="#fff8ee" />
          <path
            fill="#2f2440"
            d="M-22-66c-4-12 4-18 12-14 4 6 0 16-12 14zm44 0c4-12-4-18-12-14-4 6 0 16 12 14zM-5-62H5L0-56z"
          />
          <circle cx="-13" cy="-73" r="2.6" fill="#fff8ee" />
          <circle cx="13" cy="-73" r="2.6" fill="#fff8ee" />
          <path
            d="M-7-52c4 4 10 4 14 0"
            fill="none"
            stroke="#2f2440"
            strokeWidth="2.5"
            strokeLinecap="round"
          />
          <path fill="#2f2440" d="M-38-30c0 12 16 18 22 8l-6-18zm76 0c0 12-16 18-22 8l6-18z" />
          <path d="M16-20L4-46" stroke="var(--tree)" strokeWidth="4" strokeLinecap="round" />
          <ellipse cx="-18" cy="-3" rx="13" ry="8" fill="#2f2440" />
          <ellipse cx="18" cy="-3" rx="13" ry="8" fill="#2f2440" />
        </Transform>
      </>
    );
  return (
    <>
      <Oak x={52} y={158} s={1.15} />
      <Bush x={282} y={160} />
      <Transform x={184} y={188} s={1.25}>
        <path
          fill="var(--glow)"
          d="M-42 0v-46c2-8 10-12 20-12h28l16-64c0-8 8-12 14-10l18 8c4 4 2 10-4 10l-14 1-12 63V0H16v-32h-42V0z"
        />
        <path d="M30-132l-4-12m12 14v-13" stroke="var(--trunk)" strokeWidth="3.5" strokeLinecap="round" />
        <path fill="var(--glow)" d="M26-128c-8-4-12-2-16 2 4 6 10 6 15 2z" />
        <circle cx="38" cy="-122" r="2.5" fill="var(--dark)" />
        <g fill="var(--trunk)">
          <circle cx="-28" cy="-46" r="5.5" />
          <circle cx="-10" cy="-48" r="6" />
          <circle cx="4" cy="-40" r="4.5" />
          <circle cx="-18" cy="-36" r="4" />
          <circle cx="14" cy="-56" r="5" />
          <circle cx="18" cy="-74" r="4.5" />
          <circle cx="23" cy="-92" r="4.5" />
          <circle cx="27" cy="-108" r="3.6" />
          <circle cx="-35" cy="-26" r="3.5" />
          <circle cx="24" cy="-30" r="3.5" />
        </g>
        <path
          d="M-42-44c-8 8-6 18-8 24"
          fill="none"
          stroke="var(--glow)"
          strokeWidth="4"
          strokeLinecap="round"
        />
        <circle cx="-50" cy="-19" r="4" fill="var(--trunk)" />
      </Transform>
      {fence}
    </>
  );
}

/** Attractions, and everything that fits no other kind. */
export function attraction({ form }: Variation) {
  const kind = form(4);
  if (kind === 1)
    return (
      <>
        <Pine x={40} y={164} s={0.7} />
        <Pine x={286} y={164} s={0.6} />
        <Transform x={152} y={140} s={1.15}>
          <path fill="var(--accent)" d="M-46-62a46 46 0 0 1 92 0c0 22-18 38-30 50h-32c-12-12-30-28-30-50z" />
          <path
            fill="var(--light)"
            d="M-22-62c0-24 8-42 22-46 14 4 22 22 22 46 0 20-8 40-14 50H-8c-6-10-14-30-14-50z"
          />
          <path
            fill="var(--rose)"
            d="M-8-62c0-24 2-42 8-46 6 4 8 22 8 46 0 20-2 40-4 50h-8c-2-10-4-30-4-50z"
          />
          <path d="M-15-12l5 20M15-12l-5 20M0-12V8" stroke="var(--dark)" strokeWidth="2.5" />
          <path fill="var(--trunk)" d="M-13 8h26v14a5 5 0 0 1-5 5H-8a5 5 0 0 1-5-5z" />
        </Transform>
        <Transform x={252} y={96} s={0.5}>
          <path fill="var(--roof)" d="M-46-62a46 46 0 0 1 92 0c0 22-18 38-30 50h-32c-12-12-30-28-30-50z" />
          <path
            fill="var(--glow)"
            d="M-14-62c0-24 6-42 14-46 8 4 14 22 14 46 0 20-6 40-10 50h-8c-4-10-10-30-10-50z"
          />
          <path fill="var(--trunk)" d="M-11 4h22v16h-22z" />
        </Transform>
        <Path d="M110 206c10-22 60-12 56-40" />
      </>
    );
  if (kind === 2)
    return (
      <>
        <Oak x={42} y={160} s={0.85} />
        <Oak x={284} y={160} s={0.75} />
        <path fill="var(--accent)" d="M74 92c30-10 70-20 86-52 16 32 56 42 86 52v14H74z" />
        <path fill="var(--light)" d="M108 80c22-8 44-22 52-40 8 18 30 32 52 40v26H108z" />
        <path fill="var(--accent)" d="M140 76c10-10 18-24 20-36 2 12 10 26 20 36v30h-40z" />
        <path fill="var(--roof)" d="M70 100h180v12H70z" />
        <g fill="var(--glow)">
          {[84, 110, 136, 160, 184, 210, 236].map((x) => (
            <circle key={x} cx={x} cy="106" r="4" />
          ))}
        </g>
        <path d="M96 112v54m64-54v54m64-54v54" stroke="var(--glow)" strokeWidth="5" />
        {[
          [128, 150],
          [192, 142],
        ].map(([x = 0, y = 0]) => (
          <Transform key={x} x={x} y={y} s={1}>
            <path d={`M0 ${112 - y}V24`} stroke="var(--glow)" strokeWidth="3" />
            <path
              fill={x < 160 ? 'var(--rose)' : 'var(--light)'}
              d="M-22-2c2-10 14-10 24-8l8-14 6-4 2 6 8 8-4 6-9-2-3 12 6 12h-6L4 4l-14 2-4 12h-6l4-14c-4 0-6 4-8 6-2-4-1-8 2-12z"
            />
            <path fill="var(--roof)" d="M-6-10H6v7H-6z" />
          </Transform>
        ))}
        <path fill="var(--roof)" d="M72 164h176v12H72z" />
        <Flag x={160} y={44} s={0.55} />
      </>
    );
  if (kind === 3)
    return (
      <>
        <Cypress x={58} y={160} s={0.85} />
        <Oak x={272} y={160} s={0.9} />
        <Path d="M80 208c50-14 20-34 84-40" width={17} />
        <Transform x={166} y={176} s={1.15}>
          <path fill="var(--dark)" opacity="0.25" d="M-24 0c0-8 48-8 48 0s-48 8-48 0z" />
          <path fill="var(--roof)" d="M0 0c-22-36-46-54-46-82a46 46 0 0 1 92 0c0 28-24 46-46 82z" />
          <circle cy="-82" r="28" fill="var(--light)" />
          <path fill="var(--glow)" d="M0-104l6 14 15 2-11 10 3 15-13-7-13 7 3-15-11-10 15-2z" />
        </Transform>
        <Bush x={226} y={172} s={0.8} />
      </>
    );
  return (
    <>
      <Cypress x={40} y={160} s={0.6} />
      <Cypress x={290} y={160} s={0.75} />
      <g fill="none" stroke="var(--dark)" strokeWidth="5">
        <circle cx="160" cy="92" r="56" />
        <circle cx="160" cy="92" r="40" strokeWidth="2.5" />
        <path d="M104 92h112M160 36v112M120 52l80 80m0-80l-80 80" strokeWidth="3" />
        <path d="M160 92l-36 78m36-78l36 78" strokeLinecap="round" strokeWidth="7" />
      </g>
      {[
        [160, 36],
        [200, 52],
        [216, 92],
        [200, 132],
        [120, 132],
        [104, 92],
        [120, 52],
        [160, 148],
      ].map(([x, y], n) => (
        <circle
          key={`${x} ${y}`}
          cx={x}
          cy={y}
          r="10"
          fill={['var(--glow)', 'var(--accent)', 'var(--rose)'][n % 3]}
        />
      ))}
      <circle cx="160" cy="92" r="8" fill="var(--glow)" />
    </>
  );
}
