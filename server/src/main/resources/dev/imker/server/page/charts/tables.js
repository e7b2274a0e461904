// Figures, trades, and runs side by side.
import { html, nothing } from "../lit.js";
import { number } from "../format.js";
import { empty } from "../components/view.js";

const RATES = new Set(["total-return", "cagr", "max-drawdown", "volatility", "win-rate", "exposure", "average-trade", "buy-and-hold"]);
const COMPARED = ["total-return", "sharpe", "max-drawdown", "trades"];
const MOST_TRADES = 200;

const NAMES = { cagr: "CAGR" };
const MONEY = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** What a figure is called. */
const named = (name) => NAMES[name] ?? `${name[0].toUpperCase()}${name.slice(1).replaceAll("-", " ")}`;

export function figure(name, value) {
  if (value == null || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value < 0 ? "−∞" : "∞";
  if (RATES.has(name)) return `${(value * 100).toFixed(1)} %`;
  return Number.isInteger(value) ? number(value) : MONEY.format(value);
}

export function figureTable(figures) {
  return html`<div class="table-box" tabindex="0"><table><caption class="visually-hidden">Figures</caption><tbody>${Object.entries(figures).map(([name, value]) => html`<tr><th scope="row">${named(name)}</th><td class="number">${figure(name, value)}</td></tr>`)}</tbody></table></div>`;
}

export function tradeTable(trades) {
  if (!trades.length) return empty("No trades", "The rules never opened a position.");
  return html`<div class="table-box tall" tabindex="0" role="region" aria-label="Trades"><table><thead><tr><th scope="col">Side</th><th scope="col">In</th><th scope="col">Out</th><th scope="col" class="number">Profit</th></tr></thead>
    <tbody>${trades.slice(0, MOST_TRADES).map((trade) => html`<tr><td>${trade.side}${trade.open ? " (open)" : ""}</td><td>${trade.entryDate}<br><span class="quiet small">${trade.entryPrice.toFixed(2)}</span></td>
      <td>${trade.exitDate}<br><span class="quiet small">${trade.exitPrice.toFixed(2)}</span></td><td class="number ${trade.profit >= 0 ? "good" : "bad"}">${(trade.profitRate * 100).toFixed(1)} %</td></tr>`)}</tbody></table></div>`;
}

/** Means over the markets of a run. */
function means(result) {
  if (result.best) return result.best.figures;
  const all = result.perMarket.map((one) => one.figures);
  return Object.fromEntries(COMPARED.map((name) => [name, all.reduce((sum, one) => sum + (one[name] ?? NaN), 0) / all.length]));
}

export function comparison(runs, chosen, choose) {
  return html`<section class="card flush" aria-labelledby="runs-title"><header><h2 id="runs-title">Analyses</h2></header><div class="table-box"><table>
    <thead><tr><th scope="col">Analysis</th><th scope="col">Kind</th><th scope="col">Best parameters</th>${COMPARED.map((name) => html`<th scope="col" class="number">${named(name)}</th>`)}<th scope="col"><span class="visually-hidden">Choose</span></th></tr></thead>
    <tbody>${runs.map((run) => {
      const figures = means(run.result);
      return html`<tr aria-selected=${run === chosen}><td class="name">${run.result.name} <span class="quiet small">${run.name}</span>${run.result.complete ? nothing : html` <span class="chip blocked">not complete</span>`}</td><td>${run.result.kind.toLowerCase()}</td>
        <td>${run.result.best ? Object.entries(run.result.best.parameters).map(([name, value]) => `${name} ${value}`).join(", ") : "–"}</td>
        ${COMPARED.map((name) => html`<td class="number">${figure(name, figures[name])}</td>`)}<td class="tight"><button class="small" aria-pressed=${run === chosen} @click=${() => choose(run)}>Show</button></td></tr>`;
    })}</tbody></table></div>${chosen.result.warnings.length ? html`<ul class="quiet small warnings">${chosen.result.warnings.map((one) => html`<li>${one}</li>`)}</ul>` : nothing}</section>`;
}
