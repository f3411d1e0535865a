"use strict";
{
  // The default is the system's theme. The button changes this page only, since a local file cannot store a setting.
  const button = document.getElementById("theme");
  const themes = ["system", "light", "dark"];
  button.addEventListener("click", () => {
    const next = themes[(themes.indexOf(document.documentElement.dataset.theme ?? "system") + 1) % themes.length];
    document.documentElement.dataset.theme = next;
    document.documentElement.style.colorScheme = next === "system" ? "" : next;
    button.textContent = `Theme: ${next}`;
    document.dispatchEvent(new Event("theme"));
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => document.dispatchEvent(new Event("theme")));
}
