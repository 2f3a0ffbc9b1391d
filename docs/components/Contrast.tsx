import { useState, type ReactNode } from "react";
import { ratio } from "./contrast/ratio";
import "./contrast/contrast.css";

export const client = "visible";

interface Props {
  text: string;
  ground: string;
  children?: ReactNode;
}

/** Two colors, and how well one can be read on the other. */
export default function Contrast({ text, ground, children }: Props) {
  const [colors, setColors] = useState({ text, ground });
  const found = ratio(colors.text, colors.ground);
  return (
    <div className="contrast">
      <div className="contrast-inputs">
        {(["text", "ground"] as const).map((name) => (
          <label key={name}>
            {name === "text" ? "Text " : "Background "}
            <input
              type="color"
              value={colors[name]}
              onChange={(event) => setColors({ ...colors, [name]: event.target.value })}
            />
          </label>
        ))}
        <output>
          {found.toFixed(2)}:1, {found >= 4.5 ? "readable" : "too close"}
        </output>
      </div>
      {children}
    </div>
  );
}
