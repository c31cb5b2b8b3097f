/**
 * The stylesheet of funnels: phone first, colors and shapes from the theme (`theme.ts`), directions from the language.
 *
 * Where scripts run, only the current step is shown. The rule does not wait for the script, so that nothing jumps when
 * it loads; if it never loads, `lw-reveal` shows all steps after six seconds.
 */
export const FUNNEL_STYLE = `
*,::before,::after{box-sizing:border-box}
html{font:16px/1.55 var(--font);background:var(--bg);color:var(--text);-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;min-height:100vh;min-height:100svh;display:flex;flex-direction:column;overflow-wrap:anywhere;-webkit-font-smoothing:antialiased}
h1,h2,h3,p,ul,ol,figure,blockquote,fieldset,legend{margin:0;padding:0;border:0;min-width:0}
h1,h2,h3{line-height:1.2;text-wrap:balance;letter-spacing:-.015em}
h1{font-size:clamp(1.75rem,1.25rem + 2.6vw,3rem);font-weight:750;letter-spacing:-.025em;line-height:1.12}
h2{font-size:clamp(1.3rem,1.15rem + .8vw,1.6rem);font-weight:700}
h3{font-size:1.05rem}
ul,ol{list-style:none}
img,video{display:block;max-width:100%}
a{color:var(--link);text-underline-offset:.2em}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
[tabindex="-1"]:focus{outline:0}
[hidden],.lw-js{display:none!important}
.lw-on .lw-js:not([hidden]){display:inline-flex!important}
.lw-on p.lw-js:not([hidden]),.lw-on div.lw-js:not([hidden]){display:block!important}
.lw-hp{position:absolute;inset-inline-start:-9999px;width:1px;height:1px;overflow:hidden}
.icon{width:1.25em;height:1.25em;flex:none;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
.icon.filled{fill:currentColor;stroke:none}
.band{background:var(--text);color:var(--bg);text-align:center;font-size:.875rem;padding:.5rem 1rem}
.site{padding:.875rem 1.25rem;max-width:72rem;margin:0 auto}
.site img{height:2.5rem;width:auto;max-width:60vw;object-fit:contain;object-position:left center}
[dir=rtl] .site img{object-position:right center}
.stage{flex:1 0 auto;background:linear-gradient(var(--band),var(--bg) 34rem)}
main{display:block;max-width:72rem;margin:0 auto;padding:1.5rem 1rem 3rem}
.top{display:grid;gap:1.5rem;grid-template-columns:minmax(0,1fr)}
.intro{display:grid;gap:1.5rem;align-content:start;grid-template-columns:minmax(0,1fr)}
.after{display:grid;gap:3rem;margin-block-start:3rem;grid-template-columns:minmax(0,1fr)}
.after>*{width:100%;margin-inline:auto}
.after h2{text-align:center}
.after>:is(.faq,.text,.video,.custom){max-width:48rem}
.after .badges{justify-content:center}
.hero{display:grid;gap:.75rem}
.hero .lead{font-size:clamp(1.05rem,1rem + .4vw,1.25rem);color:var(--muted);text-wrap:pretty}
.hero img{width:100%;aspect-ratio:16/9;object-fit:cover;border-radius:var(--r-large);margin-block-start:.5rem}
.panel{background:var(--card);border:1px solid var(--line);border-radius:var(--r-large);padding:1.25rem;box-shadow:0 1px 2px var(--shadow),0 16px 40px -12px var(--shadow);align-self:start}
.progress{margin-block-end:1.25rem;font-size:.875rem;color:var(--muted);font-weight:600}
.progress ol{display:flex;gap:.375rem;margin-block-start:.5rem}
.progress li{flex:1;height:.375rem;border-radius:1rem;background:var(--line);transition:background .3s}
.progress li.is-done,.progress li.is-current{background:var(--accent)}
.step{display:block;border:0}
.step+.step,.between+.step,.step+.between{margin-block-start:2.5rem}
.step legend,.choices legend{display:block;width:100%}
.step>.text{color:var(--muted);margin-block-start:.375rem}
.fields,.options{display:grid;gap:1rem;margin-block-start:1.25rem;grid-template-columns:minmax(0,1fr)}
.options{gap:.625rem}
.option{position:relative;display:flex;align-items:center;gap:.75rem;min-height:3.5rem;padding:.625rem 1rem;border:1.5px solid var(--edge);border-radius:var(--r);background:var(--card);font-weight:600;cursor:pointer;transition:border-color .15s,background .15s,box-shadow .15s}
.option:hover{border-color:var(--link);background:var(--tint)}
.option input{appearance:none;width:1.375rem;height:1.375rem;margin:0;margin-inline-start:auto;order:2;flex:none;border:1.5px solid var(--edge);border-radius:50%;background:var(--card);cursor:pointer}
.option input:checked{border:.45rem solid var(--link)}
.option:has(:checked){border-color:var(--link);background:var(--tint);box-shadow:inset 0 0 0 1px var(--link)}
.option:has(:focus-visible){outline:3px solid var(--link);outline-offset:2px}
.option input:focus-visible{outline:0}
.option .mark{display:grid;place-items:center;width:2.25rem;height:2.25rem;flex:none;border-radius:var(--r-small);background:var(--accent-soft);color:var(--accent);font-size:1.25rem;line-height:1}
.option .mark .icon{width:1.375rem;height:1.375rem}
.choices .options{margin-block-start:.375rem;grid-template-columns:repeat(auto-fit,minmax(min(9rem,50% - .3125rem),1fr))}
.choices .option{min-height:3rem;padding:.5rem .625rem;gap:.375rem;font-size:.9375rem}
.field{display:block}
.field>label,.choices>legend{display:block;font-weight:600;font-size:.9375rem;margin-block-end:.375rem}
.opt{font-weight:400;color:var(--muted)}
.help{font-size:.875rem;color:var(--muted);margin-block-start:.375rem}
.field input:not([type=radio]),select,textarea{width:100%;min-height:3.25rem;padding:.75rem 1rem;font:inherit;color:inherit;background:var(--card);border:1.5px solid var(--edge);border-radius:var(--r);appearance:none;transition:border-color .15s,box-shadow .15s}
textarea{min-height:7rem;resize:vertical}
select{padding-inline-end:2.75rem;background-image:conic-gradient(from -45deg at bottom,var(--muted) 90deg,#0000 0);background-size:.75rem .375rem;background-position:right 1rem center;background-repeat:no-repeat}
[dir=rtl] select{background-position:left 1rem center}
.field input:not([type=radio]):focus,select:focus,textarea:focus{outline:0;border-color:var(--link);box-shadow:0 0 0 3px var(--tint),0 0 0 1px var(--link)}
::placeholder{color:var(--muted);opacity:1}
.field [aria-invalid=true],.consent input[aria-invalid=true]{border-color:var(--bad);box-shadow:0 0 0 1px var(--bad)}
.error{color:var(--bad);font-size:.9rem;font-weight:600;margin-block-start:.375rem}
.summary{color:var(--bad);background:var(--bad-soft);border:1.5px solid;border-radius:var(--r);padding:.875rem 1rem;margin-block-end:1.25rem}
.summary h2{font-size:1.05rem}
.summary a{color:inherit;display:inline-block;padding-block:.25rem}
.consent{margin-block-start:1.25rem}
.consent label{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.75rem;font-size:.875rem;line-height:1.5;color:var(--muted);cursor:pointer;min-height:2.75rem}
.consent label>span{white-space:pre-line}
.consent input{appearance:none;width:1.5rem;height:1.5rem;margin:0;border:1.5px solid var(--edge);border-radius:min(var(--r-small),6px);background:var(--card);display:grid;place-items:center;cursor:pointer}
.consent input:checked{background:var(--link);border-color:var(--link)}
.consent input:checked::after{content:"";width:.4rem;height:.75rem;border:solid var(--card);border-width:0 .16rem .16rem 0;transform:translateY(-10%) rotate(45deg)}
.nav{display:flex;flex-wrap:wrap;gap:.75rem;margin-block-start:1.5rem}
button,.button{display:inline-flex;align-items:center;justify-content:center;gap:.5rem;min-height:3.25rem;padding:.75rem 1.5rem;font:inherit;font-size:1.0625rem;font-weight:700;line-height:1.25;text-align:center;text-decoration:none;color:var(--on-primary);background:var(--primary);border:1.5px solid var(--primary);border-radius:var(--r);cursor:pointer;transition:background .15s,transform .1s}
button:hover,.button:hover{background:var(--primary-deep);border-color:var(--primary-deep)}
button:active,.button:active{transform:translateY(1px)}
.nav .next,.nav .submit{flex:1 1 10rem}
.nav .back{background:none;color:var(--muted);border-color:var(--line);font-weight:600}
.nav .back:hover{background:var(--tint)}
button[aria-disabled=true]{opacity:.7;cursor:progress}
.block>h2{margin-block-end:1rem}
.text p+p{margin-block-start:.875rem}
.text p,.faq p,.no-wrap{white-space:pre-line}
.badges{display:flex;flex-wrap:wrap;gap:.625rem 1.25rem}
.badges li{display:flex;align-items:center;gap:.5rem;font-weight:600;font-size:.9375rem}
.badges .icon{color:var(--accent)}
.cta{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem 1.25rem}
.after .cta{justify-content:center;text-align:center;flex-direction:column;background:var(--band);border-radius:var(--r-large);padding:2rem 1.25rem}
.after .cta p{font-size:1.2rem;font-weight:600;text-wrap:balance}
.quotes{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(17rem,100%),1fr))}
.quote{height:100%;display:flex;flex-direction:column;gap:.75rem;background:var(--card);border:1px solid var(--line);border-radius:var(--r-large);padding:1.25rem}
.quote figcaption{margin-block-start:auto;font-size:.9rem;color:var(--muted)}
.quote b{color:var(--text);display:block}
.stars{display:flex;gap:.125rem;color:var(--accent)}
.stars .off{color:var(--line)}
.video video{width:100%;aspect-ratio:16/9;background:#0b0f14;border-radius:var(--r-large)}
.faq details{border-block-end:1px solid var(--line)}
.faq summary{display:flex;align-items:center;gap:1rem;min-height:3.25rem;padding-block:.75rem;font-weight:600;cursor:pointer;list-style:none}
.faq summary::-webkit-details-marker{display:none}
.faq summary::after{content:"";width:.55rem;height:.55rem;margin-inline:auto .375rem;flex:none;border:solid var(--accent);border-width:0 .15rem .15rem 0;transform:rotate(45deg);transition:transform .2s}
.faq [open] summary::after{transform:rotate(225deg)}
.faq p{padding-block-end:1rem;color:var(--muted)}
.foot{border-block-start:1px solid var(--line);font-size:.875rem;color:var(--muted)}
.foot>div{max-width:72rem;margin:0 auto;padding:1.25rem 1rem;display:flex;align-items:center;flex-wrap:wrap;gap:.5rem 1.5rem;justify-content:space-between}
.foot p{max-width:46rem;white-space:pre-line}
.foot ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
.foot a{color:inherit;display:inline-block;padding-block:.25rem}
.result{max-width:36rem;margin:0 auto;padding-block:3rem;text-align:center;display:grid;gap:1rem;justify-items:center}
.result .seal{display:grid;place-items:center;width:4.5rem;height:4.5rem;border-radius:50%;background:var(--accent-soft);color:var(--accent)}
.result .seal .icon{width:2.25rem;height:2.25rem}
.result .seal:empty::after{content:"";width:.9rem;height:1.7rem;border:solid;border-width:0 .25rem .25rem 0;transform:translateY(-10%) rotate(45deg)}
.result h1{font-size:clamp(1.6rem,1.3rem + 1.6vw,2.25rem)}
.result p{font-size:1.0625rem;color:var(--muted);white-space:pre-line}
.lw-framed body{min-height:0}
.lw-framed .stage{background:none}
.lw-framed main{padding:.75rem}
@media (min-width:40rem){
.panel{padding:2rem}
main{padding:2.5rem 1.5rem 4rem}
.site,.foot>div{padding-inline:1.5rem}
.fields{grid-template-columns:repeat(2,minmax(0,1fr))}
.fields>*{grid-column:1/-1}
.fields>.half{grid-column:auto}
.cards{grid-template-columns:repeat(2,minmax(0,1fr))}
.top.is-single{max-width:42rem;margin:0 auto}
}
@media (min-width:62rem){
.top:not(.is-single){grid-template-columns:minmax(0,1fr) minmax(0,32rem);gap:4rem;align-items:start}
.top:not(.is-single) .intro{padding-block-start:1.5rem;position:sticky;inset-block-start:0}
}
@media (scripting:enabled){
html:not(.lw-on) :is(.step,.between):not(.is-current){position:absolute;visibility:hidden;animation:lw-reveal 0s 6s forwards}
html:not(.lw-on) .nav .lw-js{display:inline-flex!important;visibility:hidden}
html:not(.lw-on) .progress.lw-js{display:block!important;visibility:hidden}
.lw-on :is(.step,.between):not(.is-current){display:none}
.lw-on .step{margin-block-start:0}
.lw-on .between{margin-block:0 1.5rem}
}
@keyframes lw-reveal{to{position:static;visibility:visible}}
@media (prefers-reduced-motion:no-preference){.lw-on .step.is-moved{animation:lw-in .25s ease-out}}
@keyframes lw-in{from{opacity:0;transform:translateY(.5rem)}}
@media (prefers-reduced-motion:reduce){*,::before,::after{transition:none!important;scroll-behavior:auto!important}}
@media (forced-colors:active){.option input,.consent input{appearance:auto}.progress li.is-done,.progress li.is-current{background:CanvasText}}
`;
