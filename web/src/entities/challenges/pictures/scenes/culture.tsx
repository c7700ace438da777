import { Bush, Cypress, Lamp, Oak, Path, Transform, type Variation } from '../parts.tsx';

const Trees = () => (
  <>
    <Cypress x={40} y={160} s={0.8} />
    <Cypress x={284} y={160} s={0.7} />
  </>
);

export function museum({ form }: Variation) {
  const kind = form(3);
  return (
    <>
      <Trees />
      {kind === 0 && (
        <>
          <path fill="var(--wall)" d="M84 92h152v66H84z" />
          <path fill="var(--roof)" d="M74 92l86-46 86 46z" />
          <circle cx="160" cy="74" r="9" fill="var(--light)" />
          <path fill="var(--dark)" opacity="0.55" d="M90 98h140v54H90z" />
          <path stroke="var(--light)" strokeWidth="12" d="M102 98v54m38-54v54m40-54v54m38-54v54" />
          <path fill="var(--shade)" d="M76 154h168v8H76zm-10 8h188v9H66z" />
        </>
      )}
      {kind === 1 && (
        <>
          <path fill="var(--wall)" d="M72 160v-50h176v50z" />
          <path fill="var(--shade)" d="M64 104h192v10H64zM112 104V88h96v16z" />
          <path fill="var(--roof)" d="M112 90a48 44 0 0 1 96 0z" />
          <path fill="var(--light)" opacity="0.25" d="M112 90a48 44 0 0 1 48-44c-20 10-28 24-28 44z" />
          <path d="M160 46V30" stroke="var(--dark)" strokeWidth="4" strokeLinecap="round" />
          <path fill="var(--accent)" d="M84 114h20v40l-10-8-10 8zm132 0h20v40l-10-8-10 8z" />
          <path fill="var(--dark)" d="M140 160v-24a20 20 0 0 1 40 0v24z" />
          <path stroke="var(--light)" strokeWidth="8" d="M126 118v42m68-42v42" />
          <path fill="var(--shade)" d="M64 158h192v10H64z" />
        </>
      )}
      {kind === 2 && (
        <>
          <path fill="var(--dark)" d="M58 164V64h204v100z" />
          <path fill="var(--wall)" d="M66 164V72h188v92z" />
          <path fill="var(--roof)" d="M84 88h64v50H84z" />
          <path fill="var(--sky)" d="M90 94h52v38H90z" />
          <circle cx="128" cy="106" r="6" fill="var(--glow)" />
          <path fill="var(--tree)" d="M90 132v-12c12-12 22-8 28 0 8-8 18-6 24 2v10z" />
          <path fill="var(--accent)" d="M166 82h34v44h-34z" />
          <path fill="var(--light)" d="M171 87h24v34h-24z" />
          <circle cx="183" cy="98" r="6" fill="var(--rose)" />
          <path fill="var(--roof)" d="M173 121c0-12 4-15 10-15s10 3 10 15z" />
          <path fill="var(--shade)" d="M214 166v-36h26v36z" />
          <path
            fill="var(--light)"
            d="M220 130c-4-12 0-16 0-24-8-4-8-16 2-20h10c10 4 10 16 2 20 0 8 4 12 0 24z"
          />
          <path fill="var(--shade)" d="M50 162h220v9H50z" />
          <path fill="var(--dark)" d="M52 56h216v12H52z" />
        </>
      )}
      <Path d="M160 206v-32" width={22} />
    </>
  );
}

/** Six books side by side, by the lower left corner and the order of their colors. */
const Books = ({ x, y, mix }: { x: number; y: number; mix: number }) => {
  const colors = ['var(--accent)', 'var(--roof)', 'var(--rose)', 'var(--tree)', 'var(--light)'];
  return [26, 30, 22, 28, 24, 29].map((h, n) => (
    <path key={h} fill={colors[(n * 2 + mix) % 5]} d={`M${x + ((n + mix) % 6) * 9} ${y}v${-h}h8v${h}z`} />
  ));
};

export function library({ form }: Variation) {
  const kind = form(3);
  if (kind === 1)
    return (
      <>
        <Oak x={42} y={160} s={0.9} />
        <Oak x={282} y={160} s={0.8} />
        <path fill="var(--near)" d="M60 190c20-22 180-22 200 0z" />
        <Transform x={160} y={176} s={1.1}>
          <path fill="var(--dark)" d="M-78 0v-76h70L0-68l8-8h70V0H8L0 8l-8-8z" />
          <path
            fill="var(--light)"
            d="M0-2c-18-14-44-14-68-8v-72c24-6 50-6 68 8 18-14 44-14 68-8v72c-24-6-50-6-68 8z"
          />
          <path fill="var(--shade)" opacity="0.5" d="M0-2v-72c6-4 12-7 18-9v71c-6 2-12 5-18 10z" />
          <path
            d="M-56-64c14-2 28-2 42 4m-42 12c14-2 28-2 42 4m-42 12c14-2 28-2 42 4M30-63c9-2 17-2 26-1M24-46c11-3 21-3 32-2M24-30c11-3 21-3 32-2"
            fill="none"
            stroke="var(--roof)"
            strokeWidth="4"
            strokeLinecap="round"
          />
          <path fill="var(--accent)" d="M40-86h14v34l-7-7-7 7z" />
        </Transform>
        <g fill="var(--glow)">
          <path d="M160 40l4 9 9 4-9 4-4 9-4-9-9-4 9-4zM102 54l3 6 6 3-6 3-3 6-3-6-6-3 6-3zM222 52l3 6 6 3-6 3-3 6-3-6-6-3 6-3z" />
        </g>
      </>
    );
  if (kind === 2)
    return (
      <>
        <path fill="var(--trunk)" d="M52 172V40h216v132z" />
        <path
          fill="var(--dark)"
          d="M60 90V48h92v42zm108 0V48h92v42zM60 132V98h92v34zm108 0V98h92v34zM60 172v-32h92v32zm108 0v-32h92v32z"
          opacity="0.6"
        />
        <Books x={66} y={90} mix={0} />
        <Books x={204} y={90} mix={1} />
        <Books x={94} y={132} mix={2} />
        <Books x={174} y={132} mix={3} />
        <Books x={64} y={172} mix={4} />
        <Books x={202} y={172} mix={5} />
        <circle cx="136" cy="78" r="11" fill="var(--water)" />
        <path d="M136 90v-2m-12-10a12 12 0 0 0 24 0" fill="none" stroke="var(--glow)" strokeWidth="3" />
        <Transform x={236} y={132} s={0.6}>
          <path fill="var(--accent)" d="M-14 0l3-20h22L14 0z" />
          <path
            fill="var(--tree)"
            d="M0-18c-22-4-22-24-14-34 8 4 14 14 14 22 0-12 6-22 14-24 6 14 2 30-14 36z"
          />
        </Transform>
        <path
          d="M150 176L178 46m14 130L206 46m-48 92h26m-20-28h26m-20-28h26m-20-28h26"
          stroke="var(--glow)"
          strokeWidth="5"
          strokeLinecap="round"
        />
        <path fill="var(--stone)" d="M40 168h240v9H40z" />
      </>
    );
  return (
    <>
      <Trees />
      <path fill="var(--wall)" d="M76 80h168v84H76z" />
      <path fill="var(--roof)" d="M66 66h188v16H66z" />
      <path fill="var(--dark)" d="M142 164v-34a18 18 0 0 1 36 0v34z" />
      <path fill="var(--light)" d="M88 94h44v52H88zm100 0h44v52h-44z" />
      <path
        stroke="var(--dark)"
        strokeWidth="7"
        d="M97 146v-30m9 30v-24m9 24v-32m9 32v-26m73 26v-30m9 30v-36m9 36v-24m9 24v-32"
      />
      <path
        fill="var(--light)"
        d="M160 106c-10-8-24-9-38-7V62c14-3 28-1 38 7 10-8 24-10 38-7v37c-14-2-28-1-38 7z"
      />
      <path d="M160 69v37" stroke="var(--roof)" strokeWidth="3.5" />
      <path
        d="M131 74c8-1 14 0 20 4m-20 8c8-1 14 0 20 4m38-16c-8-1-14 0-20 4m20 8c-8-1-14 0-20 4"
        fill="none"
        stroke="var(--roof)"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
      <path fill="var(--shade)" d="M68 160h184v9H68z" />
      <Path d="M160 206v-32" width={22} />
    </>
  );
}

export function cinema({ form }: Variation) {
  const kind = form(3);
  if (kind === 1)
    return (
      <>
        <Cypress x={34} y={160} s={0.7} />
        <Cypress x={290} y={160} s={0.6} />
        <path fill="var(--dark)" d="M70 38h180v98H70z" />
        <path fill="var(--light)" d="M80 48h160v78H80z" />
        <path fill="var(--sky)" d="M80 48h160v78H80z" opacity="0.6" />
        <circle cx="200" cy="74" r="14" fill="var(--accent)" />
        <path fill="var(--rose)" d="M80 126v-22c30-26 60-14 84 2 26-16 50-14 76 2v18z" />
        <path fill="var(--roof)" d="M80 126v-8c50-18 110-6 160 0v8z" />
        <path d="M96 136v30m128-30v30" stroke="var(--dark)" strokeWidth="7" />
        <path fill="var(--light)" opacity="0.25" d="M160 196L80 48h160z" />
        {[70, 116, 162, 208, 254].map((x, n) => (
          <Transform key={x} x={x} y={200} s={1}>
            <circle cy="-30" r="10" fill={['var(--roof)', 'var(--trunk)', 'var(--dark)'][n % 3]} />
            <path fill={n % 2 ? 'var(--accent)' : 'var(--rose)'} d="M-19 4c0-18 6-25 19-25s19 7 19 25z" />
          </Transform>
        ))}
      </>
    );
  if (kind === 2)
    return (
      <>
        <Oak x={46} y={162} s={0.8} />
        <Oak x={282} y={162} s={0.7} />
        <path fill="var(--near)" d="M70 182c20-14 160-14 180 0z" />
        <Transform x={126} y={176} s={1.15}>
          <path fill="var(--light)" d="M-34-62h68L26 0h-52z" />
          <path fill="var(--brick)" d="M-34-62h13l4 62h-9zm27 0H7L5 0H-5zm28 0h13L26 0h-9z" />
          <path
            fill="var(--glow)"
            d="M-36-62c-8-8 0-20 10-16 0-14 18-16 22-6 6-12 24-6 22 6 12-6 24 6 16 16z"
          />
          <path
            fill="var(--light)"
            d="M-20-70a6 6 0 0 1 10-4 6 6 0 0 1 8 6zm24-4a6 6 0 0 1 11-3 6 6 0 0 1 6 8z"
          />
        </Transform>
        <Transform x={208} y={174} s={1.05}>
          <path fill="var(--dark)" d="M-42-48h84V0h-84z" />
          <path fill="var(--light)" d="M-42-60h84v12h-84z" />
          <path
            fill="var(--dark)"
            d="M-42-60h14l-10 12h-4zm26 0h16l-10 12h-16zm30 0h16l-10 12H4zm28 0v12h-10z"
          />
          <path fill="var(--light)" d="M-42-66l80-22 4 12-80 22z" />
          <path fill="var(--dark)" d="M-42-66l14-4-6 14-4 1zm28-8l16-4-6 14-16 5zm30-8l16-4-6 14-16 4z" />
          <path d="M-30-34h60m-60 16h40" stroke="var(--light)" strokeWidth="3.5" strokeLinecap="round" />
        </Transform>
      </>
    );
  return (
    <>
      <path fill="var(--wall)" d="M78 74h164v90H78z" />
      <path fill="var(--shade)" d="M78 118h164v8H78z" />
      <path fill="var(--roof)" d="M142 30h36v66h-36z" />
      <path fill="var(--dark)" d="M66 92h188v26H66z" />
      <g fill="var(--glow)">
        {[80, 100, 120, 140, 160, 180, 200, 220, 240].map((x) => (
          <circle key={x} cx={x} cy="105" r="5" />
        ))}
      </g>
      <path fill="var(--glow)" d="M160 38l6 13 14 2-10 9 3 14-13-7-13 7 3-14-10-9 14-2z" />
      <path fill="var(--light)" d="M92 130h32v26H92zm104 0h32v26h-32z" />
      <path fill="var(--rose)" d="M96 134h24v18H96z" />
      <path fill="var(--accent)" d="M200 134h24v18h-24z" />
      <path fill="var(--dark)" d="M138 130h44v34h-44z" />
      <path d="M160 130v34" stroke="var(--glow)" strokeWidth="3" />
      <path fill="var(--stone)" d="M60 162h200v9H60z" />
      <Lamp x={40} y={170} />
      <Bush x={280} y={170} />
    </>
  );
}

export function stage({ form }: Variation) {
  const kind = form(3);
  if (kind === 1)
    return (
      <>
        <Cypress x={32} y={160} s={0.7} />
        <Cypress x={292} y={160} s={0.7} />
        <path fill="var(--near)" d="M-300 188h920v16h-920z" />
        <path fill="var(--wall)" d="M58 170a102 116 0 0 1 204 0z" />
        <path fill="var(--shade)" d="M78 170a82 94 0 0 1 164 0z" />
        <path fill="var(--roof)" d="M98 170a62 72 0 0 1 124 0z" />
        <path fill="var(--dark)" d="M118 170a42 48 0 0 1 84 0z" />
        <Transform x={160} y={168} s={1.15}>
          <path fill="var(--amber)" d="M-22 0c-12-12-4-22 2-24-8-8 0-20 8-20s16 12 8 20c6 2 14 12 2 24z" />
          <path d="M-12-14v-56" stroke="var(--trunk)" strokeWidth="4.5" strokeLinecap="round" />
          <circle cx="-12" cy="-20" r="5" fill="var(--dark)" />
          <path d="M8-4l22-40" stroke="var(--light)" strokeWidth="3" strokeLinecap="round" />
        </Transform>
        <path fill="var(--trunk)" d="M44 168h232v12H44z" />
        <g fill="var(--dark)">
          {[70, 106, 142, 178, 214, 250].map((x) => (
            <path key={x} d={`M${x - 13} 204c0-10 4-14 8-15a8 8 0 1 1 10 0c4 1 8 5 8 15z`} />
          ))}
        </g>
      </>
    );
  if (kind === 2)
    return (
      <>
        <Oak x={44} y={160} s={0.8} />
        <Oak x={284} y={160} s={0.7} />
        <path fill="var(--near)" d="M70 186c20-16 160-16 180 0z" />
        <Transform x={128} y={118} s={1.25}>
          <path fill="var(--light)" d="M-40-44c24 8 50 8 72-4 6 44 0 78-28 96-32-14-46-46-44-92z" />
          <path
            fill="var(--dark)"
            d="M-26-14c4-8 14-8 18 0-6-2-12-2-18 0zm34-2c4-8 14-8 18 0-6-2-12-2-18 0z"
          />
          <path fill="var(--dark)" d="M-20 10c12 4 26 4 38-2-2 22-28 26-38 2z" />
          <circle cx="-24" cy="4" r="5" fill="var(--rose)" />
          <circle cx="24" cy="0" r="5" fill="var(--rose)" />
        </Transform>
        <Transform x={206} y={130} s={1.05}>
          <path fill="var(--accent)" d="M-34-46c22 10 46 10 70 2 4 42-4 74-32 90-28-16-40-50-38-92z" />
          <path
            fill="var(--dark)"
            d="M-22-12c4 5 12 6 16 2-4-4-10-6-16-2zm30 3c4 4 12 4 16-2-6-2-12-2-16 2z"
          />
          <path
            d="M-12 22c6-10 20-10 26-1"
            fill="none"
            stroke="var(--dark)"
            strokeWidth="5"
            strokeLinecap="round"
          />
          <path fill="var(--water)" d="M20-2c4 6 6 10 2 14-5 2-7-6-2-14z" />
        </Transform>
      </>
    );
  return (
    <>
      <path fill="var(--roof)" d="M56 172V44h208v128z" />
      <path fill="var(--dark)" d="M74 172V62h172v110z" />
      <path fill="var(--glow)" opacity="0.45" d="M160 50l-46 122h92z" />
      <path
        fill="var(--velvet)"
        d="M70 58h48c-2 40-14 70-38 82 4 10 4 20 2 32H70zM250 58h-48c2 40 14 70 38 82-4 10-4 20-2 32h12z"
      />
      <path
        d="M84 60c0 32-4 56-12 72m26-72c-2 30-8 52-18 68M236 60c0 32 4 56 12 72m-26-72c2 30 8 52 18 68"
        fill="none"
        stroke="#8e3a4a"
        strokeWidth="3.5"
        strokeLinecap="round"
      />
      <path
        fill="var(--velvet)"
        d="M62 44h196v18a14 14 0 0 1-28 0 14 14 0 0 1-28 0 14 14 0 0 1-28 0 14 14 0 0 1-28 0 14 14 0 0 1-28 0 14 14 0 0 1-28 0 14 14 0 0 1-28 0z"
      />
      <path fill="var(--glow)" d="M56 36h208v10H56z" />
      <Transform x={160} y={170} s={1.05}>
        <circle cy="-62" r="9" fill="var(--light)" />
        <path fill="var(--accent)" d="M-8-52H8l4 24 12 28h-48l12-28z" />
        <path
          d="M-7-48c-12 0-18-8-24-16M7-48c12 0 18-8 24-16"
          fill="none"
          stroke="var(--light)"
          strokeWidth="5"
          strokeLinecap="round"
        />
      </Transform>
      <path fill="var(--trunk)" d="M44 168h232v14H44z" />
    </>
  );
}

export function club({ form }: Variation) {
  const kind = form(3);
  if (kind === 1)
    return (
      <>
        <path fill="var(--dark)" d="M62 172V56h196v116z" />
        <path fill="var(--roof)" d="M72 172V66h176v106z" />
        <path d="M84 84h152M84 112h152" stroke="var(--trunk)" strokeWidth="6" />
        <g>
          {[94, 110, 124, 196, 212, 226].map((x, n) => (
            <path
              key={x}
              fill={['var(--tree)', 'var(--accent)', 'var(--rose)'][n % 3]}
              d={`M${x - 5} 109v-14l3-4v-6h5v6l3 4v14z`}
            />
          ))}
        </g>
        <Transform x={160} y={156} s={1.3}>
          <path fill="var(--light)" opacity="0.9" d="M-30-72h60L3-40v30h14v5h-34v-5H-3v-30z" />
          <path fill="var(--accent)" d="M-22-64h44L0-42z" />
          <circle cx="20" cy="-72" r="9" fill="var(--glow)" />
          <path d="M-4-50L14-86" stroke="var(--rose)" strokeWidth="3.5" strokeLinecap="round" />
          <circle cx="-2" cy="-56" r="5" fill="var(--tree)" />
        </Transform>
        <path fill="var(--trunk)" d="M50 150h220v12H50z" />
        <path fill="var(--dark)" d="M58 162h204v14H58z" />
        <path d="M58 62c8-8 196-8 204 0" fill="none" stroke="var(--glow)" strokeWidth="4" />
      </>
    );
  if (kind === 2)
    return (
      <>
        <path fill="var(--dark)" d="M58 174V52h204v122z" />
        <path fill="var(--glow)" opacity="0.3" d="M98 52l20 122H58zm124 0l40 122h-62zM160 52l34 122h-68z" />
        <g fill="var(--glow)">
          <circle cx="98" cy="58" r="6" />
          <circle cx="160" cy="58" r="6" />
          <circle cx="222" cy="58" r="6" />
        </g>
        <Transform x={160} y={166} s={1.25}>
          <path
            fill="var(--amber)"
            d="M-34-74c8-2 12 2 13 10l6 40c2 12 14 12 18 0 4-14 10-24 26-30l8 16c-14 4-18 14-24 28-8 18-38 18-42-6l-6-46c-1-4-3-5-7-4z"
          />
          <path fill="var(--amber)" d="M22-62c6 2 18 18 20 34-6-4-18-14-24-16z" />
          <g fill="var(--light)">
            <circle cx="-14" cy="-46" r="3.5" />
            <circle cx="-12" cy="-34" r="3.5" />
            <circle cx="-10" cy="-22" r="3.5" />
          </g>
        </Transform>
        <g fill="var(--light)">
          <path d="M84 122v-26l20-5v25a7 5 0 1 1-5-5V99l-10 3v20a7 5 0 1 1-5-5zM224 112V88h4c2 6 8 6 8 14l-4-2-4-3v15a7 5 0 1 1-4-5z" />
        </g>
        <path fill="var(--trunk)" d="M46 170h228v12H46z" />
      </>
    );
  return (
    <>
      <path fill="var(--dark)" d="M64 174V50h192v124z" />
      <path fill="var(--glow)" opacity="0.35" d="M160 76l-84 98h52zm0 0l84 98h-52zm0 0l-20 98h40z" />
      <path d="M160 50v18" stroke="var(--stone)" strokeWidth="3.5" />
      <circle cx="160" cy="92" r="26" fill="var(--light)" />
      <path
        d="M136 83h48m-50 10h52m-49 10h46m-31-36c-8 18-8 34 0 50m16-50c8 18 8 34 0 50"
        fill="none"
        stroke="var(--shade)"
        strokeWidth="3"
      />
      <path fill="var(--rose)" d="M146 74l12-3v9h-13zM172 96h11v8h-12z" />
      {[88, 124, 196, 232].map((x, n) => (
        <Transform key={x} x={x} y={176} s={1} flip={n % 2 === 0}>
          <circle cy="-44" r="8" fill="var(--light)" />
          <path
            fill={['var(--rose)', 'var(--accent)', 'var(--tree)', 'var(--wall)'][n]}
            d="M-9 0l2-30c1-6 13-6 14 0L10 0z"
          />
          <path
            d="M-6-28l-12-14M6-28l12-18"
            stroke={['var(--rose)', 'var(--accent)', 'var(--tree)', 'var(--wall)'][n]}
            strokeWidth="5"
            strokeLinecap="round"
          />
        </Transform>
      ))}
      <g fill="var(--glow)">
        <path d="M84 78l3 7 7 3-7 3-3 7-3-7-7-3 7-3zM236 68l3 7 7 3-7 3-3 7-3-7-7-3 7-3zM220 110l2 5 5 2-5 2-2 5-2-5-5-2 5-2z" />
      </g>
      <path fill="var(--trunk)" d="M52 172h216v10H52z" />
    </>
  );
}
